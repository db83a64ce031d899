import { logLink, type TrialParams } from "@/lib/addresses/trial";
import { formatCount } from "@/lib/format/number";
import type { Signal } from "@/lib/triage/signals";

/** Where on a trial's page a piece of evidence stands. */
export function linkSignal({ kind, place: { file, line, step } }: Signal): Partial<TrialParams> {
  if (step !== null) return { tab: "trajectory", step };
  if (kind === "failed-test") return { tab: "tests" };
  return line === null ? { tab: "files", file } : logLink({ file, line });
}

/** The place of a piece of evidence in words. */
export function describeSignalPlace({ place: { file, line, step } }: Signal): string {
  if (step !== null) return `step ${step}`;
  return line === null ? file : `${file} line ${formatCount(line)}`;
}
