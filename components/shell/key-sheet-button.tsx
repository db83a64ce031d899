"use client";

import { CircleQuestionMark, Keyboard, RotateCcw } from "lucide-react";
import { usePathname } from "next/navigation";
import { type KeyboardEvent, useId, useState } from "react";
import { flushSync } from "react-dom";

import { Button, KeyCap } from "@/components/ui/button";
import { PrefetchLink } from "@/components/ui/prefetch-link";
import { helpHrefOf } from "@/lib/pages/help/address";

import { announce } from "./announcer";
import { listCommandsHere } from "./commands";
import {
  changeKey,
  getKeys,
  type KeyChange,
  type KeyChoice,
  resetKeys,
  saveKeyChoice,
  setSingleKeysOn,
  useKeyChoice,
  useSingleKeys,
} from "./key-choice";
import { formatChord, readChords } from "./key-chord";
import { COMMAND_IDS, type CommandId, getCommand, getScope, type Scope, SCOPES } from "./key-map";

import "./key-sheet.css";

export function HelpLink({ children }: { children?: string }) {
  return (
    <PrefetchLink
      href={helpHrefOf(usePathname())}
      className={children === undefined ? "button button-bare icon-only" : "button button-plain"}
      {...(children === undefined
        ? { title: "Help on this page", "aria-label": "Help on this page", "data-command": "everywhere.help" }
        : {})}
    >
      {children ?? <CircleQuestionMark size={16} aria-hidden />}
    </PrefetchLink>
  );
}

/** The sheet is rendered only once it opens. */
export function KeySheetButton() {
  const [here, setHere] = useState<readonly CommandId[] | null>(null);
  const key = getKeys(useKeyChoice(), "everywhere.keys")[0] ?? "";
  return (
    <>
      <Button
        look="bare"
        className="icon-only"
        popoverTarget="key-sheet"
        title={`Keys (${formatChord(key)})`}
        aria-label="Keyboard shortcuts"
      >
        <Keyboard size={16} aria-hidden />
      </Button>
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

const ALL_SCOPES = Object.keys(SCOPES) as readonly Scope[];

function KeySheet({ here }: { here: readonly CommandId[] }) {
  const editor = useKeyEditor();
  const draw = (all: readonly CommandId[]) =>
    ALL_SCOPES.map((scope) => {
      const ids = all.filter((id) => getScope(id) === scope);
      return ids.length === 0 ? null : <ScopeKeys key={scope} {...{ scope, ids, editor }} />;
    });
  return (
    <>
      <div className="key-sheet-scopes">{draw(here)}</div>
      <details className="key-sheet-others">
        <summary>Keys of other pages</summary>
        <div className="key-sheet-scopes">{draw(COMMAND_IDS.filter((id) => !here.includes(id)))}</div>
      </details>
      <div className="flow key-sheet-foot">
        <label className="row">
          <input
            type="checkbox"
            checked={useSingleKeys()}
            onChange={(event) => setSingleKeysOn(event.target.checked)}
          />{" "}
          Single-letter keys
        </label>
        <span className="grow caption" aria-hidden>
          {editor.message}
        </span>
        {Object.keys(editor.choice).length === 0 ? null : (
          <Button onClick={editor.resetAll}>Reset all keys</Button>
        )}
        <HelpLink>Help on this page</HelpLink>
      </div>
    </>
  );
}

type KeyEditor = ReturnType<typeof useKeyEditor>;

type Asked = { readonly id: CommandId; readonly place: number };

const HINT = "Choose a key to change it.";

function useKeyEditor() {
  const choice = useKeyChoice();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [message, setMessage] = useState(HINT);

  function say(text: string) {
    setMessage(text);
    announce(text);
  }
  function take(change: KeyChange, id: CommandId) {
    if (change.ok) {
      saveKeyChoice(change.choice);
      setAsked(null);
    }
    say(change.ok ? `${getCommand(id).words}: ${listKeys(change.choice, id)}.` : change.why);
  }
  return {
    choice,
    asked,
    message,
    ask: (next: Asked) => {
      setAsked(next);
      say(`Press the new key for “${getCommand(next.id).words}”, or Esc.`);
    },
    cancel: () => {
      setAsked(null);
      setMessage(HINT);
    },
    change: ({ id, place }: Asked, chord: string) => take(changeKey(choice, id, place, chord), id),
    reset: (id: CommandId) => take(resetKeys(choice, id), id),
    resetAll: () => {
      saveKeyChoice({});
      say("Shortcuts reset to defaults.");
    },
  };
}

function listKeys(choice: KeyChoice, id: CommandId): string {
  return getKeys(choice, id).map(formatChord).join(" or ");
}

function ScopeKeys({ scope, ids, editor }: { scope: Scope; ids: readonly CommandId[]; editor: KeyEditor }) {
  // Its other keys may be listed with those of other pages.
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <h3 id={titleId}>{SCOPES[scope]}</h3>
      <dl>
        {ids.map((id) => (
          <div key={id} className="row">
            <dt>{getCommand(id).isFixed ? <FixedKeys id={id} /> : <OwnKeys id={id} editor={editor} />}</dt>
            <dd className="grow">{getCommand(id).words}</dd>
            {editor.choice[id] === undefined ? null : (
              <button
                type="button"
                className="text-button key-reset"
                aria-label={`Reset the key of “${getCommand(id).words}”`}
                title={`Reset to ${listKeys({}, id)}`}
                onClick={() => editor.reset(id)}
              >
                <RotateCcw size={14} aria-hidden />
              </button>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}

function FixedKeys({ id }: { id: CommandId }) {
  const { keys } = getCommand(id);
  const [first = "", last = ""] = [keys[0], keys.at(-1)];
  if (keys.length > 2)
    return (
      <>
        <KeyCap>{formatChord(first)}</KeyCap> to <KeyCap>{formatChord(last)}</KeyCap>
      </>
    );
  return keys.map((key) => <KeyCap key={key}>{formatChord(key)}</KeyCap>);
}

function OwnKeys({ id, editor }: { id: CommandId; editor: KeyEditor }) {
  const { asked, choice } = editor;
  return getKeys(choice, id).map((key, place) => {
    const isAsked = asked?.id === id && asked.place === place;
    return (
      <button
        key={place}
        type="button"
        className="text-button key-change"
        aria-pressed={isAsked}
        aria-label={`${getCommand(id).words}: ${formatChord(key)}, change`}
        onClick={() => editor.ask({ id, place })}
        onBlur={() => (isAsked ? editor.cancel() : undefined)}
        onKeyDown={(event) => (isAsked ? takeKey(event, { id, place }, editor) : undefined)}
      >
        <KeyCap>{isAsked ? "…" : formatChord(key)}</KeyCap>
      </button>
    );
  });
}

function takeKey(event: KeyboardEvent, asked: Asked, editor: KeyEditor): void {
  if (event.key === "Tab" || event.nativeEvent.isComposing) return;
  const [chord] = readChords(event.nativeEvent);
  if (event.key !== "Escape" && chord === undefined && event.key !== " ") return;
  event.preventDefault();
  if (event.key === "Escape") editor.cancel();
  else if (!event.repeat) editor.change(asked, chord ?? "Space");
}
