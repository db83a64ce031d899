import "server-only";
import { oncePer } from "@/lib/core/domain/once-per";
import { listNames } from "@/lib/core/format/list-names";
import { formatPlural } from "@/lib/core/format/number";
import {
  type CodebookChange,
  type CodebookHistory,
  listTouched,
  STARTERS,
  type StoredChange,
} from "@/lib/people/annotations";

export interface ChangeLine {
  readonly version: number;
  readonly author: string;
  /** UTC, ISO 8601. */
  readonly createdAt: string;
  /** One sentence, with the names of that time. */
  readonly text: string;
  readonly touched: readonly string[];
}

/** Returns all changes, newest first; the same array while the codebook is unchanged. */
export const listChanges = oncePer(({ changes }: CodebookHistory): readonly ChangeLine[] => {
  const labels = new Map(STARTERS.map(({ id, label }) => [id, label]));
  return changes.map((stored) => describeOne(stored, labels)).toReversed();
});

/** @param labels - names at that moment; updated in place */
function describeOne({ change, ...rest }: StoredChange, labels: Map<string, string>): ChangeLine {
  const text = describeChange(change, (id) => `“${labels.get(id) ?? id}”`);
  if (change.kind === "edit") labels.set(change.id, change.text.label);
  for (const { id, label } of listNamed(change)) labels.set(id, label);
  return { ...rest, text, touched: listTouched(change) };
}

function listNamed(change: CodebookChange) {
  if (change.kind === "add" || change.kind === "import") return change.categories;
  return change.kind === "split" ? change.into : [];
}

function describeChange(change: CodebookChange, nameOf: (id: string) => string): string {
  switch (change.kind) {
    case "add":
      return `Added ${listNames(change.categories.map(({ label }) => `“${label}”`))}.`;
    case "edit": {
      const [before, after] = [nameOf(change.id), `“${change.text.label}”`];
      return before.toLowerCase() === after.toLowerCase()
        ? `Edited ${after}.`
        : `Renamed ${before} to ${after}.`;
    }
    case "merge":
      return `Merged ${listNames(change.ids.map(nameOf))} into ${nameOf(change.into)}.`;
    case "split":
      return `Split ${nameOf(change.id)} into ${listNames(change.into.map(({ label }) => `“${label}”`))}.`;
    case "retire":
      return `Retired ${nameOf(change.id)}.`;
    case "restore":
      return `Restored ${nameOf(change.id)}.`;
    case "open-coding":
      return change.isOn ? "Started open coding." : "Ended open coding.";
    case "import":
      return `Imported ${formatPlural(change.categories.length, "category", "categories")} from a file.`;
  }
}
