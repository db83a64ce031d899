"use client";

import { Keyboard } from "lucide-react";
import { useState } from "react";
import { flushSync } from "react-dom";

import { listCommandsHere } from "./commands";
import { useKeyChoice, getKeys } from "./key-choice";
import { formatChord } from "./key-chord";
import type { CommandId } from "./key-map";
import { KeySheet } from "./key-sheet";

import "./key-sheet.css";

/** The sheet is rendered only once it opens. */
export function KeySheetButton() {
  const [here, setHere] = useState<readonly CommandId[] | null>(null);
  const key = getKeys(useKeyChoice(), "everywhere.keys")[0] ?? "";
  return (
    <>
      <button
        type="button"
        className="button button-bare icon-only"
        popoverTarget="key-sheet"
        title={`Keys (${formatChord(key)})`}
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
        // Rendered before it is shown, so that it opens with its final size.
        onBeforeToggle={(event) => {
          if (event.newState === "open") flushSync(() => setHere(listCommandsHere()));
        }}
        // After it has returned the focus, which a removed element cannot.
        onToggle={(event) => {
          if (event.newState === "closed") setHere(null);
        }}
      >
        {here === null ? null : <KeySheet here={here} />}
      </div>
    </>
  );
}
