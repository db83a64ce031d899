import { computeChains } from "../chain";
import type { AnnotationEvent } from "../record";
import type { ImportedEvent, JudgmentLine } from "./judgment-line";

export interface ChainItem {
  readonly line: JudgmentLine;
  readonly event: ImportedEvent;
}

export type ConflictKind = "id" | "fork" | "owned";

export interface ChainPlan {
  readonly added: readonly ChainItem[];
  readonly nKnown: number;
  readonly nOlder: number;
  readonly conflict: { readonly kind: ConflictKind; readonly line: JudgmentLine } | null;
}

export interface ChainOwner {
  readonly owner: string | null;
  readonly actor: { readonly browserKeyHash: string | null; readonly isAdmin: boolean };
}

/**
 * Version numbers count withdrawals too, and each withdrew the version that counted then, so gaps reveal their places. Returns
 * null if two lines are the same version.
 */
function orderChain(lines: readonly JudgmentLine[]): readonly ChainItem[] | null {
  const items: ChainItem[] = [];
  const standing: JudgmentLine[] = [];
  const withdrawLine = (line: JudgmentLine | undefined): boolean => {
    if (line === undefined || line.withdrawal === null) return false;
    items.push({ line, event: line.withdrawal });
    standing.splice(standing.lastIndexOf(line), 1);
    return true;
  };
  let last = 0;
  for (const line of lines.toSorted((a, b) => a.fields.version - b.fields.version)) {
    const { version } = line.fields;
    if (version === last) return null;
    for (let left = version - last - 1; left > 0 && withdrawLine(standing.at(-1));) left -= 1;
    items.push({ line, event: line.event });
    standing.push(line);
    last = version;
  }
  for (const line of standing.toReversed()) withdrawLine(line);
  return items;
}

/** Appends lines after the stored head. Never reorders or forks a chain; only admins change another browser's. */
export function planChain(
  stored: readonly AnnotationEvent[],
  lines: readonly JudgmentLine[],
  { owner, actor }: ChainOwner,
): ChainPlan {
  const fail = (kind: ConflictKind, line = lines[0]): ChainPlan => ({
    added: [],
    nKnown: 0,
    nOlder: 0,
    conflict: line === undefined ? null : { kind, line },
  });
  const items = orderChain(lines);
  if (items === null) return fail("fork");
  const known = new Set(stored.map(nameEvent));
  const isKnown = ({ event }: ChainItem) => known.has(nameEvent(event));
  const nKnown = lines.filter(({ event }) => known.has(nameEvent(event))).length;
  const lastKnown = items.findLastIndex(isKnown);
  const stands = computeChains(stored).some(({ current }) => current !== null);
  const head = stored.at(-1);
  const coming = items.slice(lastKnown + 1);
  const older = items.slice(0, lastKnown + 1).filter((item) => !isKnown(item));
  const left = new Set(older.map(({ event }) => event.versionId));
  const added = coming.filter(({ event }) => event.withdraws === null || !left.has(event.withdraws));
  const nOlder = older.filter(({ event }) => event.withdraws === null).length;
  const [first] = added;
  if (first === undefined) return { added, nKnown, nOlder, conflict: null };
  if (head !== undefined && stands) {
    if (!items.some(({ event }) => nameEvent(event) === nameEvent(head))) return fail("fork", first.line);
    if (owner !== null && owner !== actor.browserKeyHash && !actor.isAdmin) return fail("owned", first.line);
  }
  return { added, nKnown, nOlder, conflict: null };
}

/** Identifies an event: a save by its id, a withdrawal by its save, since only the first one counts. */
function nameEvent({ versionId, withdraws }: Pick<AnnotationEvent, "versionId" | "withdraws">): string {
  return withdraws === null ? `saved ${versionId}` : `withdrawn ${withdraws}`;
}
