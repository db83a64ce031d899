import { listNames } from "@/lib/core/format/list-names";

export interface UnreadableRow {
  readonly seq: number;
  readonly problem: string;
  readonly columns: Readonly<Record<string, unknown>>;
}

export function describeUnreadable(
  place: string,
  rows: readonly UnreadableRow[],
  noun = "row",
): string | null {
  if (rows.length === 0) return null;
  const named = listNames(
    rows.map((row) => describeRow(noun, row)),
    "; ",
  );
  const [what, which] =
    rows.length === 1
      ? [`a ${noun}`, "It is not counted"]
      : [`${String(rows.length)} ${noun}s`, "They are not counted"];
  return (
    `The annotations in ${place} have ${what} that cannot be read: ${named}. ` +
    `${which}, and exports end with their stored content. ` +
    "Update Assay if a newer version wrote them, otherwise correct the table or restore a backup, and start again."
  );
}

const OF_TRIALS: readonly unknown[] = ["judgment", "decision", "suggestion_answer", "imported_tag"];

function describeRow(noun: string, { seq, problem, columns }: UnreadableRow): string {
  const trial = columns["subject"];
  const about =
    typeof trial === "string" && OF_TRIALS.includes(columns["kind"]) ? ` (trial ${trial.slice(0, 80)})` : "";
  return `${noun} ${String(seq)}${about} ${problem}`;
}
