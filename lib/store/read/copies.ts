import type { RowPlace } from "./query";
import type { Stored } from "../schema/tables";

/**
 * Drops copies of trials, which copies of a job folder hold: of finished trials with the same id and name the one that was indexed
 * first stays, whatever the order of the list, so that all who read a list count the same ones. Trials without an id all stay.
 */
export function dropCopies<Row extends RowPlace & Pick<Stored<"trials">, "uuid" | "trialName">>(
  rows: readonly Row[],
): readonly Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) {
    const known = first.get(nameTrial(row));
    if (known === undefined || isBefore(row, known)) first.set(nameTrial(row), row);
  }
  return rows.filter((row) => row.uuid === null || first.get(nameTrial(row)) === row);
}

function nameTrial({ uuid, trialName }: Pick<Stored<"trials">, "uuid" | "trialName">): string {
  return `${uuid ?? ""} ${trialName}`;
}

function isBefore(a: RowPlace, b: RowPlace): boolean {
  return a.jobRowId === b.jobRowId ? a.position < b.position : a.jobRowId < b.jobRowId;
}
