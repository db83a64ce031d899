import { formatCount } from "@/lib/core/format/number";
import type { Signal } from "@/lib/core/triage/signals";
import { logLink, type TrialParams } from "@/lib/pages/trial/address";

/** A place in a trajectory is found by search, so that other matches show too. */
export function linkSignal({ kind, text, place: { file, line, step } }: Signal): Partial<TrialParams> {
  if (step !== null) return { tab: "trajectory", step, find: chooseWords(text) };
  if (kind === "failed-test") return { tab: "tests" };
  return line === null ? { tab: "files", file } : logLink({ file, line });
}

/** Characters of a line that tell it from others. */
const MOST_FOUND = 80;

/** Returns the beginning of the first line, because long texts are shown cut. */
function chooseWords(text: string): string {
  const line = text.split("\n").find((one) => one.trim() !== "") ?? "";
  return line.trim().slice(0, MOST_FOUND).trim();
}

export function describeSignalPlace({ place: { file, line, step } }: Signal): string {
  if (step !== null) return `step ${step}`;
  return line === null ? file : `${file} line ${formatCount(line)}`;
}
