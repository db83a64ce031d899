"use client";

import { createStoredText, useSignal } from "@/components/ui/signal";

import { formatChord, refuseChord } from "./key-chord";
import { canMeet, COMMAND_IDS, type CommandId, getCommand, getScope } from "./key-map";

export type KeyChoice = Readonly<Partial<Record<CommandId, readonly string[]>>>;

const NONE: KeyChoice = {};

const storedKeys = createStoredText("assay-keys");
const singleKeys = createStoredText("assay-single-keys");

/** Screen reader and voice users can switch keys without Ctrl off in the keyboard sheet. */
export function areSingleKeysOn(): boolean {
  return singleKeys.get() !== "off";
}

export function useSingleKeys(): boolean {
  return useSignal({ ...singleKeys, get: areSingleKeysOn }, true);
}

export function setSingleKeysOn(on: boolean): void {
  singleKeys.set(on ? "on" : "off");
}

let parsed: { readonly text: string | null; readonly choice: KeyChoice } = { text: null, choice: NONE };

export function readKeyChoice(): KeyChoice {
  const text = storedKeys.get();
  if (text !== parsed.text) parsed = { text, choice: text === null ? NONE : parseKeyChoice(text) };
  return parsed.choice;
}

export function useKeyChoice(): KeyChoice {
  return useSignal({ ...storedKeys, get: readKeyChoice }, NONE);
}

/** Skips entries that are not a command or not a key, since another version or a user may have written them. */
export function parseKeyChoice(text: string): KeyChoice {
  let value: unknown;
  try {
    // Earlier releases stored `beside` for `diff`.
    value = JSON.parse(text.replaceAll(/\bbeside\b/g, "diff"));
  } catch {
    return NONE;
  }
  if (typeof value !== "object" || value === null) return NONE;
  const stored = new Map<string, unknown>(Object.entries(value));
  const choice: Partial<Record<CommandId, readonly string[]>> = {};
  for (const id of COMMAND_IDS) {
    const keys = stored.get(id);
    if (getCommand(id).isFixed || !Array.isArray(keys) || keys.length !== getCommand(id).keys.length)
      continue;
    const chords = keys.filter((key): key is string => typeof key === "string" && refuseChord(key) === null);
    if (chords.length === keys.length) choice[id] = chords;
  }
  return choice;
}

export function getKeys(choice: KeyChoice, id: CommandId): readonly string[] {
  return choice[id] ?? getCommand(id).keys;
}

export function findConflict(choice: KeyChoice, id: CommandId, chord: string): CommandId | null {
  const scope = getScope(id);
  const taken = COMMAND_IDS.find(
    (other) => other !== id && canMeet(scope, getScope(other)) && getKeys(choice, other).includes(chord),
  );
  return taken ?? null;
}

export type KeyChange =
  | { readonly ok: true; readonly choice: KeyChoice }
  | { readonly ok: false; readonly why: string };

export function changeKey(choice: KeyChoice, id: CommandId, place: number, chord: string): KeyChange {
  const why = refuseChord(chord);
  if (why !== null) return { ok: false, why };
  const keys = getKeys(choice, id).map((key, index) => (index === place ? chord : key));
  return new Set(keys).size < keys.length ? refuseTaken(chord, id) : takeKeys(choice, id, keys);
}

export function resetKeys(choice: KeyChoice, id: CommandId): KeyChange {
  return takeKeys(choice, id, getCommand(id).keys);
}

function refuseTaken(key: string, by: CommandId): KeyChange {
  return {
    ok: false,
    why: `${formatChord(key)} is used by “${getCommand(by).words}”. Change that one first.`,
  };
}

function takeKeys(choice: KeyChoice, id: CommandId, keys: readonly string[]): KeyChange {
  for (const key of keys) {
    const taken = findConflict(choice, id, key);
    if (taken !== null) return refuseTaken(key, taken);
  }
  const first = getCommand(id).keys;
  const isFirst = keys.every((key, index) => key === first[index]);
  const { [id]: _before, ...others } = choice;
  return { ok: true, choice: isFirst ? others : { ...others, [id]: keys } };
}

export function saveKeyChoice(choice: KeyChoice): void {
  storedKeys.set(JSON.stringify(choice));
}
