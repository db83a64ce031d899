import { isDeepStrictEqual } from "node:util";

import { isSameTrial } from "@/lib/core/domain/annotation";

import { groupEvents, computeChains } from "../chain";
import type { CodebookHistory } from "../codebook/fold";
import { type DecisionEvent, type DecisionRows, listStanding } from "../decisions/decisions";
import { type Actor, findOwner, mayChange } from "../owner";
import type { AnnotationEvent } from "../record";
import type { UnreadableRow } from "../unreadable-row";
import type { DecisionLine, Gathered, JudgmentLine, LinePlace, QueueLine } from "./gather";
import { isSettled, settleCategories } from "./settle-categories";

export interface StoreContent {
  readonly events: readonly AnnotationEvent[];
  readonly unreadable: readonly UnreadableRow[];
  readonly decisions: DecisionRows;
  readonly codebook: CodebookHistory;
  readonly queueIds: ReadonlySet<string>;
}

export interface ImportConflict extends LinePlace {
  readonly kind: ConflictKind;
  readonly trialName: string;
  readonly jobName: string;
  readonly reviewerId: string;
  readonly message: string;
}

export type ImportPlan = ReturnType<typeof planImport>;

export function planImport(gathered: Gathered, content: StoreContent, actor: Actor) {
  const judgments = planJudgments(gathered.judgments, content, actor);
  const decisions = planDecisions(gathered.decisions, content, actor);
  // Queues are immutable, so equal ids mean equal queues.
  const [known, addedQueues] = [new Set(content.queueIds), [] as QueueLine[]];
  for (const queue of gathered.queues) if (!known.has(queue.fields.queue_id)) addedQueues.push(queue);
  for (const { fields } of addedQueues) known.add(fields.queue_id);
  const coming = [
    ...judgments.added.flatMap(({ line, event }) => (event.withdraws === null ? [line.fields] : [])),
    ...decisions.added.map(({ fields }) => fields),
  ];
  const subjects = [
    ...gathered.judgments.map(({ event: { subject } }) => ({ subject })),
    ...gathered.decisions.map(({ event }) => ({ subject: event.decision.subject })),
  ];
  return {
    added: judgments.added,
    addedDecisions: decisions.added,
    addedQueues,
    withdrawnDecisions: decisions.withdrawn,
    conflicts: [...judgments.conflicts, ...decisions.conflicts],
    nKnown: judgments.nKnown + decisions.nKnown + gathered.queues.length - addedQueues.length,
    nOlder: judgments.nOlder,
    nRenamed: coming.reduce((sum, fields) => sum + settleCategories(content.codebook, fields).nRenamed, 0),
    nOfLostQueues: [...gathered.judgments, ...gathered.decisions].filter(
      ({ fields: { queue_id: id } }) => id !== null && !known.has(id),
    ).length,
    trials: groupEvents(subjects).flatMap(([first]) => (first === undefined ? [] : [first.subject])),
  };
}

function planJudgments(lines: readonly JudgmentLine[], content: StoreContent, actor: Actor) {
  const { events, unreadable, codebook } = content;
  const names = new Set(lines.map(({ event }) => event.subject.trialName));
  const placed = [
    ...events
      .filter(({ subject }) => names.has(subject.trialName))
      .map((stored) => ({ ...pick(stored), stored, line: null })),
    ...lines.map((line) => ({ ...pick(line.event), stored: null, line })),
  ];
  const isTaken = createIdCheck(events, ({ versionId }) => versionId, unreadable);
  const chains = groupEvents(placed).flatMap((trial) => [
    ...Map.groupBy(trial, ({ reviewerKey }) => reviewerKey).values(),
  ]);
  const added: { readonly order: number; readonly item: ChainItem }[] = [];
  const conflicts: ImportConflict[] = [];
  let nKnown = 0;
  let nOlder = 0;
  for (const chain of chains) {
    const ofFiles = chain.flatMap(({ line }) => line ?? []);
    if (ofFiles.length === 0) continue;
    const stored = chain.flatMap((one) => one.stored ?? []);
    const here = new Set(stored);
    const isSame = (one: AnnotationEvent, line: JudgmentLine) =>
      here.has(one) && isSameJudgment(one, line) && isSettled(codebook, one, line.fields);
    const taken = ofFiles.find((line) => isTaken(line, isSame));
    if (taken !== undefined) {
      conflicts.push(describeConflict("id", taken));
      continue;
    }
    const plan = planChain(stored, ofFiles, actor);
    nKnown += plan.nKnown;
    nOlder += plan.nOlder;
    if (plan.conflict !== null) conflicts.push(describeConflict(plan.conflict.kind, plan.conflict.line));
    // Lines may be in any order; a chain stays in version order.
    let order = 0;
    for (const item of plan.added) {
      order = Math.max(order, item.line.order);
      added.push({ order, item });
    }
  }
  return {
    added: added.toSorted((a, b) => a.order - b.order).map(({ item }) => item),
    conflicts,
    nKnown,
    nOlder,
  };
}

function pick({ subject, reviewerKey }: Pick<AnnotationEvent, "subject" | "reviewerKey">) {
  return { subject, reviewerKey };
}

function isSameJudgment(stored: AnnotationEvent, { event }: JudgmentLine): boolean {
  const { categories, codebookVersion } = event;
  // The importer's name exists only here.
  const savedBy = stored.savedBy?.startsWith("import by ") === true ? event.savedBy : stored.savedBy;
  return isDeepStrictEqual({ ...stored, categories, codebookVersion, savedBy, browserKeyHash: null }, event);
}

/** Returns a check if an id of a line belongs to an unreadable row or to another statement. */
function createIdCheck<Event extends { readonly withdraws: string | null }>(
  events: readonly Event[],
  idOf: (event: Event) => string,
  unreadable: readonly UnreadableRow[],
) {
  const byId = new Map(events.map((event) => [idOf(event), event]));
  const lost = new Set(unreadable.map(({ columns }) => columns["id"]));
  return <Line extends JudgmentLine | DecisionLine>(
    line: Line,
    isSame: (stored: Event, line: Line) => boolean,
  ): boolean => {
    const [stored, taker] = [byId.get(line.id), byId.get(line.withdrawalId ?? "")];
    return (
      lost.has(line.id) ||
      lost.has(line.withdrawalId) ||
      (stored !== undefined && !isSame(stored, line)) ||
      (taker !== undefined && taker.withdraws !== line.id)
    );
  };
}

const WHAT_HAPPENS = {
  judgment: {
    id: "One of its ids belongs to something else here. The version here is kept, and nothing of this reviewer about this trial is imported.",
    fork: "The reviewer judged this trial in two places, and neither continues the other. The version here is kept. To take the one in the file, undo the judgment here and import again; a file without history cannot tell whether it continues.",
    owned:
      "It would change a judgment that belongs to a browser here, which only that browser or an admin may. The version here is kept.",
  },
  decision: {
    id: "The id of the decision belongs to another one here. The version here is kept.",
    fork: "This trial has another decision here, which is kept. To take the one in the file, undo it here and import again.",
    owned:
      "It would change a decision that belongs to a browser here, which only that browser or an admin may. The version here is kept.",
  },
} as const;

function describeConflict(kind: ConflictKind, line: JudgmentLine | DecisionLine): ImportConflict {
  const { fields } = line;
  const [what, reviewerId] =
    "decided_by" in fields
      ? (["decision", fields.decided_by] as const)
      : (["judgment", fields.reviewer_id] as const);
  return {
    ...{ kind, file: line.file, line: line.line, reviewerId },
    ...{ trialName: fields.trial_name, jobName: fields.job_name, message: WHAT_HAPPENS[what][kind] },
  };
}

type DecisionStep = "known" | "added" | "undone" | ConflictKind;

function planDecisions(lines: readonly DecisionLine[], content: StoreContent, actor: Actor) {
  const decide = createDecisionPlanner(lines, content, actor);
  const steps = lines.map((line) => ({ line, step: decide(line) }));
  const select = (wanted: DecisionStep) => steps.flatMap(({ line, step }) => (step === wanted ? line : []));
  return {
    added: select("added"),
    withdrawn: select("undone"),
    conflicts: steps.flatMap(({ line, step }) =>
      step === "id" || step === "fork" || step === "owned" ? describeConflict(step, line) : [],
    ),
    nKnown: select("known").length,
  };
}

function createDecisionPlanner(
  lines: readonly DecisionLine[],
  { decisions: { events: stored, unreadable }, codebook }: Pick<StoreContent, "decisions" | "codebook">,
  actor: Actor,
) {
  const isTaken = createIdCheck(stored, ({ decision }) => decision.decisionId, unreadable);
  const isSame = ({ decision, withdraws }: DecisionEvent, { event, fields }: DecisionLine) => {
    const { categories, codebookVersion } = decision;
    const stated = { ...event.decision, categories, codebookVersion };
    return withdraws === null && isDeepStrictEqual(decision, stated) && isSettled(codebook, decision, fields);
  };
  const byId = new Map(stored.map((event) => [event.decision.decisionId, event]));
  const standing = new Set(listStanding(stored));
  const byTrial = Map.groupBy(standing, ({ decision }) => decision.subject.trialName);
  const inFiles = new Set(lines.map(({ id }) => id));
  return (line: DecisionLine): DecisionStep => {
    if (isTaken(line, isSame)) return "id";
    const here = byId.get(line.id);
    if (here !== undefined) {
      if (line.withdrawal === null || !standing.has(here)) return "known";
      return mayChange(here, actor) ? "undone" : "owned";
    }
    const { subject } = line.event.decision;
    const last = (byTrial.get(subject.trialName) ?? []).findLast(({ decision }) =>
      isSameTrial(decision.subject, subject),
    );
    if (last === undefined) return "added";
    if (!inFiles.has(last.decision.decisionId)) return "fork";
    return mayChange(last, actor) ? "added" : "owned";
  };
}

interface ChainItem {
  readonly line: JudgmentLine;
  readonly event: AnnotationEvent;
}

type ConflictKind = "id" | "fork" | "owned";

interface ChainPlan {
  readonly added: readonly ChainItem[];
  readonly nKnown: number;
  readonly nOlder: number;
  readonly conflict: { readonly kind: ConflictKind; readonly line: JudgmentLine } | null;
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
function planChain(
  stored: readonly AnnotationEvent[],
  lines: readonly JudgmentLine[],
  actor: Actor,
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
    if (!mayChange({ browserKeyHash: findOwner(stored) }, actor)) return fail("owned", first.line);
  }
  return { added, nKnown, nOlder, conflict: null };
}

/** Identifies an event: a save by its id, a withdrawal by its save, since only the first one counts. */
function nameEvent({ versionId, withdraws }: Pick<AnnotationEvent, "versionId" | "withdraws">): string {
  return withdraws === null ? `saved ${versionId}` : `withdrawn ${withdraws}`;
}
