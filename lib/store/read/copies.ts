import type { RowPlace } from "./query";
import type { Stored } from "../schema/tables";

/**
 * Drops copies of trials, which copies of a job folder hold: of finished trials with the same id and name the one that was indexed
 * first stays, whatever the order of the list, so that all who read a list count the same ones. Trials without an id all stay.
 */
export function dropCopies<Row extends RowPlace & Pick<Stored<"trials">, "uuid" | "trialName">>(
  rows: readonly Row[],
): readonly Row[] {
  const several = listRepeated(rows);
  if (several.size === 0) return rows;
  const first = new Map<string, Row>();
  for (const row of rows) {
    if (row.uuid === null || !several.has(row.uuid)) continue;
    const known = first.get(nameTrial(row));
    if (known === undefined || isBefore(row, known)) first.set(nameTrial(row), row);
  }
  return rows.filter(
    (row) => row.uuid === null || !several.has(row.uuid) || first.get(nameTrial(row)) === row,
  );
}

/** Ids that several trials have: of most lists none, so that nothing else need be remembered of its trials. */
function listRepeated(rows: readonly Pick<Stored<"trials">, "uuid">[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const several = new Set<string>();
  for (const { uuid } of rows) {
    if (uuid === null) continue;
    if (seen.has(uuid)) several.add(uuid);
    else seen.add(uuid);
  }
  return several;
}

function nameTrial({ uuid, trialName }: Pick<Stored<"trials">, "uuid" | "trialName">): string {
  return `${uuid ?? ""} ${trialName}`;
}

function isBefore(a: RowPlace, b: RowPlace): boolean {
  return a.jobRowId === b.jobRowId ? a.position < b.position : a.jobRowId < b.jobRowId;
}
