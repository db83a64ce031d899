"use client";

import { Keyboard } from "lucide-react";
import { useState } from "react";
import { flushSync } from "react-dom";

import { KeyCap } from "@/components/ui/button";

import { areSingleKeysOn, setSingleKeysOn } from "./single-keys";

import "./key-sheet.css";

/** What each key does, by where it works. Every key has a visible control of its own; keys only save the way there. */
const SHEET: readonly {
  readonly title: string;
  readonly keys: readonly (readonly [readonly string[], string])[];
}[] = [
  {
    title: "Everywhere",
    keys: [
      [["Ctrl K"], "Search, saved views, go to"],
      [["/"], "Filter this list"],
      [["↓", "Enter"], "From the filter to its first row"],
      [["[", "]"], "Previous, next tab"],
      [["?"], "Show these shortcuts"],
      [["Esc"], "Close, empty a filter, leave a field"],
    ],
  },
  {
    title: "Lists",
    keys: [
      [["j", "k"], "Next, previous row"],
      [["↓", "↑"], "The same, from a row"],
      [["Home", "End"], "First, last row of the page, from a row"],
      [["Enter"], "Open the row"],
      [["x"], "Select the row"],
    ],
  },
  {
    title: "Trial",
    keys: [
      [["j", "k"], "Next, previous step or file"],
      [["←", "→"], "Previous, next trial of the list"],
      [["l"], "Back to the list"],
      [["c"], "Compare side by side with another attempt"],
      [["J", "K"], "Next, previous step with an error"],
      [["Ctrl F"], "Find in all steps, in all files"],
      [["Enter"], "In the find field: next match, with Shift previous"],
      [["Esc"], "From the find field back to the text"],
      [["#"], "Go to a step, or a line of the open file, by its number"],
      [["{", "}"], "Previous, next trace of the trial"],
      [["y", "Y"], "Copy a link to the step or the line clicked, the step as Markdown"],
      [["w"], "Wrap long lines"],
      [["r"], "Show Markdown and JSON as written"],
      [["z"], "Unfold or fold all reasoning and repeated texts"],
    ],
  },
  {
    title: "Side by side",
    keys: [
      [["j", "k"], "Next, previous row"],
      [["d"], "First divergence"],
      [["n", "p"], "Next, previous difference"],
      [["x"], "Swap A and B"],
      [["l"], "Scroll each trajectory by itself, or both together"],
    ],
  },
  {
    title: "Review",
    keys: [
      [["1", "2", "3"], "Pass, fail, defer"],
      [["⇧ 1"], "Toggle a category"],
      [["t"], "Add a category"],
      [["n"], "Note"],
      [["u"], "Undo"],
      [["Ctrl S"], "Save"],
      [["Ctrl ↵"], "Save and open the next of the list, or unreviewed"],
    ],
  },
];

/** Opens the keyboard sheet, a popover that stays beside the work; it is drawn when it is first opened. */
export function KeySheetButton() {
  const [isDrawn, setIsDrawn] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button button-bare icon-only"
        popoverTarget="key-sheet"
        title="Keys (?)"
        aria-label="Keyboard shortcuts"
      >
        <Keyboard size={16} aria-hidden />
      </button>
      <div
        id="key-sheet"
        popover="auto"
        className="key-sheet"
        role="dialog"
        aria-label="Keyboard shortcuts"
        // Before it is shown, so that it opens with its final size.
        onBeforeToggle={() => flushSync(() => setIsDrawn(true))}
      >
        {isDrawn ? <KeySheet /> : null}
      </div>
    </>
  );
}

function KeySheet() {
  return (
    <>
      {SHEET.map((part) => (
        <section key={part.title}>
          <h3>{part.title}</h3>
          <dl>
            {part.keys.map(([keys, words]) => (
              <div key={words} className="row">
                <dt>
                  {keys.map((key) => (
                    <KeyCap key={key}>{key}</KeyCap>
                  ))}
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label className="row key-sheet-switch">
        <input
          type="checkbox"
          defaultChecked={areSingleKeysOn()}
          onChange={(event) => setSingleKeysOn(event.target.checked)}
        />{" "}
        Single-letter keys
      </label>
    </>
  );
}
