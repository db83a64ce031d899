"use client";

import { KeyCap } from "@/components/ui/button";

import { getKeys, useKeyChoice, useSingleKeys } from "./key-choice";
import { formatChord } from "./key-chord";
import type { CommandId } from "./key-map";

export function CommandKey({ id, nth = 1 }: { id: CommandId; nth?: number }) {
  const key = getKeys(useKeyChoice(), id)[nth - 1];
  const isOn = useSingleKeys();
  if (key === undefined || !(isOn || key.startsWith("Ctrl+"))) return null;
  return <KeyCap>{formatChord(key)}</KeyCap>;
}
