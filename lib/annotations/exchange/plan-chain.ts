import { computeChains } from "../chain";
import type { AnnotationEvent } from "../record";
import type { ImportedEvent, JudgmentLine } from "./judgment-line";

export interface ChainItem {
  readonly line: JudgmentLine;
  readonly event: ImportedEvent;
}

/** Why a chain is left as it is here. */
export type ConflictKind = "id" | "fork" | "owned";

/** What becomes of one reviewer's judgments of one trial. */
export interface ChainPlan {
  /** To be added, in this order; empty in a conflict. */
  readonly added: readonly ChainItem[];
  /** Judgments that are here already, and those that would have to come before what is here. */
  readonly nKnown: number;
  readonly nOlder: number;
  readonly conflict: { readonly kind: ConflictKind; readonly line: JudgmentLine } | null;
}

/** Who owns what of the store, as far as one chain needs it. */
export interface ChainOwner {
  /** The browser's key that a chain belongs to; null for nobody's. */
  readonly owner: string | null;
  readonly actor: { readonly browserKeyHash: string | null; readonly isAdmin: boolean };
}

/**
 * Puts a reviewer's lines about a trial in the order of their version numbers, with withdrawals where they were made: numbers count
 * them too, and each took back what counted at that moment, so that gaps tell their places.
 *
 * @returns null where two lines are the same version, which a chain cannot hold
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

/**
 * Decides what of a chain in the files is added to the one that is stored: what follows the stored head. A chain is never reordered
 * or forked, and what counts of another browser's chain is only changed by an admin.
 */
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
  // What was left out cannot be undone.
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

/** A save is its id; of withdrawals the first one of a save counts, whoever made it. */
function nameEvent({ versionId, withdraws }: Pick<AnnotationEvent, "versionId" | "withdraws">): string {
  return withdraws === null ? `saved ${versionId}` : `withdrawn ${withdraws}`;
}
