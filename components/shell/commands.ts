"use client";

import { useEffectEvent, useLayoutEffect } from "react";

import { areSingleKeysOn, getKeys, type KeyChoice, readKeyChoice } from "./key-choice";
import { formatChord, readChords } from "./key-chord";
import { COMMAND_IDS, type CommandId, getCommand, getScope, type Scope } from "./key-map";

/** Runs a command; `nth` is the pressed key of several, from 1. `false` means not handled: the key may mean something else. */
type Action = (nth: number) => unknown;

type Actions = Readonly<Partial<Record<CommandId, Action>>>;

const registered: {
  readonly ids: readonly CommandId[];
  readonly act: (id: CommandId, nth: number) => unknown;
}[] = [];

/** Registers commands on mount, in the layout phase: a key pressed before an effect would be lost. Ids must not change. */
export function useCommands(actions: Actions): void {
  const act = useEffectEvent((id: CommandId, nth: number) => actions[id]?.(nth));
  const ids = COMMAND_IDS.filter((id) => actions[id] !== undefined).join(" ");
  useLayoutEffect(() => {
    const one = {
      ids: COMMAND_IDS.filter((id) => ids.split(" ").includes(id)),
      act: (id: CommandId, nth: number) => act(id, nth),
    };
    registered.push(one);
    return () => void registered.splice(registered.indexOf(one), 1);
  }, [ids]);
}

function getTarget(id: CommandId): string {
  return getCommand(id).target ?? `[data-command="${id}"]`;
}

function pressTarget(id: CommandId): boolean {
  const element = document.querySelector<HTMLElement>(getTarget(id));
  if (element === null) return false;
  if (element instanceof HTMLInputElement) {
    // Already focused: the browser handles the key.
    if (element === document.activeElement) return false;
    element.focus();
    element.select();
  } else element.click();
  return true;
}

function isHere(id: CommandId): boolean {
  return registered.some(({ ids }) => ids.includes(id)) || document.querySelector(getTarget(id)) !== null;
}

function listScopesHere(): readonly Scope[] {
  const scopes = new Set<Scope>(["everywhere"]);
  // The shell selects rows on every page that has them.
  if (document.querySelector("tr [data-row-link], [data-make-queue]") !== null) scopes.add("list");
  for (const id of COMMAND_IDS) if (getScope(id) !== "list" && isHere(id)) scopes.add(getScope(id));
  return [...scopes];
}

const PARTIAL: ReadonlySet<Scope> = new Set(["review", "list", "everywhere"]);

export function listCommandsHere(): readonly CommandId[] {
  const scopes = listScopesHere();
  return COMMAND_IDS.filter((id) => {
    const { needs, isFixed } = getCommand(id);
    if (!scopes.includes(getScope(id))) return false;
    if (needs !== undefined) return document.querySelector(needs) !== null;
    return isFixed === true || !PARTIAL.has(getScope(id)) || isHere(id);
  });
}

export function findCommands(choice: KeyChoice, chord: string): readonly CommandId[] {
  const all = COMMAND_IDS.filter((id) => getKeys(choice, id).includes(chord));
  return [...all.filter((id) => choice[id] !== undefined), ...all.filter((id) => choice[id] === undefined)];
}

const LAYERS = "dialog[open], [popover]:popover-open, details[data-menu][open]";
/** Elements that use the arrow keys themselves. */
const ARROW_KEEPERS =
  "pre, [tabindex='0'], input, select, [role=radiogroup], [role=radio], details[data-menu]";

export function isCovered(): boolean {
  return document.querySelector(LAYERS) !== null;
}

export function isTyping(target: EventTarget | null): target is HTMLElement {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("textarea, select, input:not([type=checkbox]):not([type=radio])"))
  );
}

function isFree(chord: string, target: EventTarget | null): boolean {
  if (chord.startsWith("Ctrl+")) return true;
  if (isTyping(target) || !areSingleKeysOn()) return false;
  return !(chord.includes("Arrow") && target instanceof Element && target.closest(ARROW_KEEPERS) !== null);
}

function run(id: CommandId, nth: number): boolean {
  const one = registered.findLast(({ ids }) => ids.includes(id));
  return (one === undefined ? pressTarget(id) : one.act(id, nth)) !== false;
}

/** Ignores keys without Ctrl while typing or if switched off, all keys in composition, and most keys under a dialog. */
export function handleCommandKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const hasLayer = isCovered();
  const choice = readKeyChoice();
  for (const chord of readChords(event)) {
    if (!isFree(chord, event.target)) continue;
    for (const id of findCommands(choice, chord)) {
      const { isAboveLayers, repeats } = getCommand(id);
      if (hasLayer && !isAboveLayers) continue;
      const isDone = event.repeat && !repeats ? isHere(id) : run(id, getKeys(choice, id).indexOf(chord) + 1);
      if (!isDone) continue;
      event.preventDefault();
      return;
    }
  }
}

const ANY_TARGET = COMMAND_IDS.map(getTarget).join();
let named: { readonly element: HTMLElement; readonly own: string; readonly full: string } | null = null;

export function nameKeyOfTarget({ target }: Event): void {
  const element = target instanceof Element ? target.closest<HTMLElement>(ANY_TARGET) : null;
  if (named !== null && named.element !== element && named.element.title === named.full)
    named.element.title = named.own;
  if (element === null || element.title === "" || element.title === named?.full) return;
  const id = COMMAND_IDS.find((one) => element.matches(getTarget(one)));
  const key = id === undefined ? undefined : getKeys(readKeyChoice(), id)[0];
  if (key === undefined || !(key.startsWith("Ctrl+") || areSingleKeysOn())) return;
  const own = element.title;
  element.title = `${own} (${formatChord(key)})`;
  named = { element, own, full: element.title };
}
