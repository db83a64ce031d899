import { isDeepStrictEqual } from "node:util";

import { computeReviewerKey, isSameTrial, type TrialIdentity } from "@/lib/core/domain/annotation";
import { ValidationError } from "@/lib/core/domain/app-error";
import type { ImportedTag } from "@/lib/core/domain/imported-tag";

import type { CodebookHistory } from "../codebook/fold";
import type { DecisionBody } from "../decisions/decisions";
import { type Actor, findOwner, isStanding, mayChange } from "../owner";
import { type AnnotationEvent, groupTrials, type JudgmentBody } from "../record";
import { listStanding, type MadeStatement, type NewStatement, type Statement } from "../statements/statement";
import type { UnreadableRow } from "../stored-columns";
import { type Answer, isSameQuestion, nameQuestion, readQuestion } from "../triage/answers";
import type { Note } from "../triage/notes";
import { isSettled, settleCategories } from "./categories";
import type { Gathered, Line, LineError, LinePlace } from "./gather";

export interface StoreContent {
  readonly judgments: readonly AnnotationEvent[];
  readonly decisions: readonly Statement<DecisionBody>[];
  /** Rows of judgments and decisions, and all damaged ones. */
  readonly unreadable: readonly UnreadableRow[];
  readonly codebook: CodebookHistory;
  readonly queueIds: ReadonlySet<string>;
  readonly tags: readonly ImportedTag[];
  readonly answers: readonly Statement<Answer>[];
  readonly notes: readonly Statement<Note>[];
}

type SavedLine = Line<"judgment" | "decision">;

/** A line and the statement that it adds, which may be a withdrawal. */
export interface Planned {
  readonly line: SavedLine;
  readonly said: MadeStatement<JudgmentBody> | MadeStatement<DecisionBody>;
}

type ConflictKind = "id" | "fork" | "owned";

export type ImportConflict = ReturnType<typeof describeConflict>;

export type ImportPlan = ReturnType<typeof planImport>;

export function planImport(
  gathered: Gathered,
  placed: readonly PlacedTag[],
  content: StoreContent,
  actor: Actor,
) {
  const judgments = planJudgments(gathered.judgments, content, actor);
  const decisions = planDecisions(gathered.decisions, content, actor);
  const tags = planTags(placed, content.tags);
  const answers = planAnswers(gathered.answers, content.answers);
  const notes = planNotes(gathered.notes, content.notes, actor);
  // Queues are immutable, so equal ids mean equal queues.
  const queues = gathered.queues.filter(({ queueId }) => !content.queueIds.has(queueId));
  const known = new Set([...content.queueIds, ...queues.map(({ queueId }) => queueId)]);
  const saved: readonly SavedLine[] = [...gathered.judgments, ...gathered.decisions];
  const coming = [...judgments.added, ...decisions.added].filter(({ said }) => said.parent === null);
  const queueOf = ({ said: { body } }: SavedLine) => ("queue" in body ? body.queue?.queueId : body.queueId);
  const trials = listTrials([
    ...placed.map(({ tag }) => tag.trial),
    ...gathered.answers.map(({ said }) => said.body.trial),
  ]);
  return {
    judgments: judgments.added,
    decisions: decisions.added,
    queues,
    tags,
    answers: answers.added,
    notes: notes.added,
    conflicts: [judgments, decisions, answers, notes].flatMap(({ conflicts }) => conflicts),
    nKnown:
      judgments.nKnown +
      decisions.nKnown +
      (gathered.queues.length - queues.length) +
      (placed.length - tags.length) +
      answers.nKnown +
      notes.nKnown,
    nOlder: judgments.nOlder,
    nRenamed: coming.reduce(
      (sum, { line }) => sum + settleCategories(content.codebook, line.stated).nRenamed,
      0,
    ),
    nOfLostQueues: saved.filter((line) => {
      const queueId = queueOf(line) ?? null;
      return queueId !== null && !known.has(queueId);
    }).length,
    trials: groupTrials([...saved.map(({ said }) => said.body.trial), ...trials], (trial) => trial).flatMap(
      ([first]) => first ?? [],
    ),
  };
}

const CONFLICTS = {
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
  answer: { fork: "The reviewer answered this suggestion differently here. The answer here is kept." },
  note: {
    fork: "was changed in two places, and neither continues the other",
    owned: "belongs to a browser here, and only that one or an admin may change it under this name",
  },
} as const;

function describeConflict(
  kind: ConflictKind,
  { file, line, said }: LinePlace & { readonly said: Pick<NewStatement, "author"> },
  { trialName, jobName }: Pick<TrialIdentity, "trialName" | "jobName">,
  message: string,
) {
  return { kind, file, line, trialName, jobName, reviewerId: said.author, message };
}

function describeSaved(kind: ConflictKind, line: SavedLine): ImportConflict {
  return describeConflict(kind, line, line.said.body.trial, CONFLICTS[line.kind][kind]);
}

function planJudgments(lines: readonly Line<"judgment">[], content: StoreContent, actor: Actor) {
  const names = new Set(lines.map(({ said }) => said.subject));
  const placed = [
    ...content.judgments
      .filter(({ subject }) => names.has(subject))
      .map((stored) => ({ said: stored, key: stored.reviewerKey, stored, line: null })),
    ...lines.map((line) => ({
      said: line.said,
      key: computeReviewerKey(line.said.author),
      stored: null,
      line,
    })),
  ];
  const chains = groupTrials(placed, ({ said }) => said.body.trial).flatMap((trial) => [
    ...Map.groupBy(trial, ({ key }) => key).values(),
  ]);
  const isTaken = createIdCheck(content.judgments, content);
  const added: { readonly order: number; readonly item: ChainItem }[] = [];
  const conflicts: ImportConflict[] = [];
  let nKnown = 0;
  let nOlder = 0;
  for (const chain of chains) {
    const ofFiles = chain.flatMap(({ line }) => line ?? []);
    const stored = chain.flatMap((one) => one.stored ?? []);
    const taken = ofFiles.find((line) => isTaken(line, stored));
    const plan = taken === undefined ? planChain(stored, ofFiles, actor) : fail("id", taken);
    nKnown += plan.nKnown;
    nOlder += plan.nOlder;
    if (plan.conflict !== null) conflicts.push(plan.conflict);
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

/** Returns a test for lines whose id is taken: by an unreadable row, or by another statement than one of `own`. */
function createIdCheck<Body extends JudgmentBody | DecisionBody>(
  stored: readonly Statement<Body>[],
  { unreadable, codebook }: StoreContent,
) {
  const byId = new Map(stored.map((statement) => [statement.id, statement]));
  const lost = new Set(unreadable.map(({ columns }) => columns["id"]));
  return ({ id, said, stated, withdrawal }: SavedLine, own: readonly Statement<Body>[] = stored): boolean => {
    const here = byId.get(id);
    const taker = withdrawal === null ? undefined : byId.get(withdrawal.id);
    const isSame = here === undefined || (own.includes(here) && isSameSaid(here, said));
    return (
      lost.has(id) ||
      (withdrawal !== null && lost.has(withdrawal.id)) ||
      !isSame ||
      (here !== undefined && !isSettled(codebook, here.body, stated)) ||
      (taker !== undefined && taker.parent !== id)
    );
  };
}

function isSameSaid(
  { id, kind, subject, parent, author, at, body }: Statement<JudgmentBody | DecisionBody>,
  said: MadeStatement<JudgmentBody | DecisionBody>,
): boolean {
  const { categories, codebookVersion } = said.body;
  // The importer's name exists only here.
  const isImported = "savedBy" in body && body.savedBy?.startsWith("import by ") === true;
  const importer = isImported && "savedBy" in said.body ? { savedBy: said.body.savedBy } : {};
  const stored = { ...body, categories, codebookVersion, ...importer };
  return isDeepStrictEqual({ id, kind, subject, parent, author, actor: null, at, body: stored }, said);
}

type Step = ConflictKind | "known" | "undone" | "added";

function planDecisions(lines: readonly Line<"decision">[], content: StoreContent, actor: Actor) {
  const isTaken = createIdCheck(content.decisions, content);
  const byId = new Map(content.decisions.map((one) => [one.id, one]));
  const standing = new Set(listStanding(content.decisions));
  const byTrial = Map.groupBy(standing, ({ subject }) => subject);
  const inFiles = new Set(lines.map(({ id }) => id));
  const findStep = (line: Line<"decision">): Step => {
    if (isTaken(line)) return "id";
    const here = byId.get(line.id);
    if (here !== undefined) {
      if (line.withdrawal === null || !standing.has(here)) return "known";
      return mayChange(here.actor, actor) ? "undone" : "owned";
    }
    const { subject, body } = line.said;
    const last = byTrial.get(subject)?.findLast((one) => isSameTrial(one.body.trial, body.trial));
    if (last === undefined) return "added";
    if (!inFiles.has(last.id)) return "fork";
    return mayChange(last.actor, actor) ? "added" : "owned";
  };
  const steps = lines.map((line) => ({ line, step: findStep(line) }));
  const list = (wanted: Step) => steps.flatMap(({ line, step }) => (step === wanted ? line : []));
  const undo = (line: Line<"decision">) =>
    line.withdrawal === null ? [] : [{ line, said: line.withdrawal }];
  return {
    added: [
      ...list("added").flatMap((line) => [{ line, said: line.said }, ...undo(line)]),
      ...list("undone").flatMap(undo),
    ],
    conflicts: steps.flatMap(({ line, step }) =>
      step === "id" || step === "fork" || step === "owned" ? describeSaved(step, line) : [],
    ),
    nKnown: list("known").length,
  };
}

interface ChainItem {
  readonly line: Line<"judgment">;
  readonly said: MadeStatement<JudgmentBody>;
}

/**
 * Version numbers count withdrawals too, and each withdrew the version that counted then, so gaps reveal their places. Returns
 * null if two lines are the same version.
 */
function orderChain(lines: readonly Line<"judgment">[]): readonly ChainItem[] | null {
  const items: ChainItem[] = [];
  const standing: Line<"judgment">[] = [];
  const withdrawLine = (line: Line<"judgment"> | undefined): boolean => {
    if (line === undefined || line.withdrawal === null) return false;
    items.push({ line, said: line.withdrawal });
    standing.splice(standing.lastIndexOf(line), 1);
    return true;
  };
  let last = 0;
  for (const line of lines.toSorted((a, b) => a.version - b.version)) {
    if (line.version === last) return null;
    for (let left = line.version - last - 1; left > 0 && withdrawLine(standing.at(-1));) left -= 1;
    items.push({ line, said: line.said });
    standing.push(line);
    last = line.version;
  }
  for (const line of standing.toReversed()) withdrawLine(line);
  return items;
}

interface ChainPlan {
  readonly added: readonly ChainItem[];
  readonly nKnown: number;
  readonly nOlder: number;
  readonly conflict: ImportConflict | null;
}

function fail(kind: ConflictKind, line: Line<"judgment"> | undefined): ChainPlan {
  const conflict = line === undefined ? null : describeSaved(kind, line);
  return { added: [], nKnown: 0, nOlder: 0, conflict };
}

/** Appends lines after the stored head. Never reorders or forks a chain; only admins change another browser's. */
function planChain(
  stored: readonly AnnotationEvent[],
  lines: readonly Line<"judgment">[],
  actor: Actor,
): ChainPlan {
  const items = orderChain(lines);
  if (items === null) return fail("fork", lines[0]);
  const known = new Set(stored.map(nameEvent));
  const isKnown = ({ said }: ChainItem) => known.has(nameEvent(said));
  const lastKnown = items.findLastIndex(isKnown);
  const older = items.slice(0, lastKnown + 1).filter((item) => !isKnown(item));
  const left = new Set<string | null>(older.map(({ said }) => said.id));
  const added = items.slice(lastKnown + 1).filter(({ said }) => !left.has(said.parent));
  const plan = {
    added,
    nKnown: lines.filter(({ said }) => known.has(nameEvent(said))).length,
    nOlder: older.filter(({ said }) => said.parent === null).length,
    conflict: null,
  };
  const [first] = added;
  const head = stored.at(-1);
  if (first === undefined || head === undefined || !isStanding(stored)) return plan;
  if (!items.some(({ said }) => nameEvent(said) === nameEvent(head))) return fail("fork", first.line);
  return mayChange(findOwner(stored), actor) ? plan : fail("owned", first.line);
}

/** Identifies an event: a save by its id, a withdrawal by its save, since only the first one counts. */
function nameEvent({ id, parent }: Pick<MadeStatement, "id" | "parent">): string {
  return parent === null ? `saved ${id}` : `withdrawn ${parent}`;
}

export interface PlacedTag extends LinePlace {
  readonly tag: ImportedTag;
}

/**
 * `open` is null without open folders, as in a command. A line must then name the job; its trial matches once a folder has it.
 */
export function placeTags(lines: readonly Line<"tag">[], open: readonly TrialIdentity[] | null) {
  const byName = open && Map.groupBy(open, ({ trialName }) => trialName);
  const byId = open && Map.groupBy(open, ({ trialId }) => trialId);
  const tags: PlacedTag[] = [];
  const lost: LineError[] = [];
  for (const { said, file, line } of lines) {
    const named = new Set([...(byName?.get(said.trial) ?? []), ...(byId?.get(said.trial) ?? [])]);
    const found = findLineTrial(said, byName && [...named]);
    if (typeof found === "string") {
      lost.push({ file, line, message: found });
      continue;
    }
    const { trialId, jobUuid, trialName, jobName } = found;
    const { category, source, description = null, evidence } = said;
    const trial = { trialId, jobUuid, trialName, jobName };
    tags.push({ file, line, tag: { trial, source, category, description, evidence } });
  }
  return { tags, lost };
}

function findLineTrial(
  { schema, trial, trialId = null, job, jobUuid = null }: Line<"tag">["said"],
  open: readonly TrialIdentity[] | null,
): TrialIdentity | string {
  const stated = job == null ? null : { trialId, jobUuid, trialName: trial, jobName: job };
  if (open === null)
    return (
      stated ??
      "job: It is missing. Name the job of the trial, or import the file on the page, which knows the open folders."
    );
  const [found, ...others] = open.filter(
    (one) =>
      (one.trialName === trial && (stated === null || isSameTrial(one, stated) || one.jobUuid === job)) ||
      (one.trialId === trial && (job == null || one.jobName === job || one.jobUuid === job)),
  );
  if (found === undefined) {
    if (schema !== undefined && stated !== null) return stated;
    const of = job == null ? "" : ` in a job ${quote(job)}`;
    return `trial: No open folder has a trial ${quote(trial)}${of}.`;
  }
  // Copies of one trial count as one.
  if (others.every((other) => isSameTrial(found, other))) return found;
  return `trial: ${String(others.length + 1)} trials of the open folders are called ${quote(trial)}. Name the job too.`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100).toWellFormed()}…` : text);
}

/** Removes duplicates, since trials of one name are compared pairwise. */
function listTrials(named: readonly TrialIdentity[]): readonly TrialIdentity[] {
  const trials = new Map(
    named.map((trial) => {
      const { trialId, jobUuid, trialName, jobName } = trial;
      return [JSON.stringify([trialName, trialId, jobUuid, jobName]), trial];
    }),
  );
  for (const own of Map.groupBy(trials.values(), ({ trialName }) => trialName).values())
    refuseMany(own.length, "different trials of one name");
  return [...trials.values()];
}

const MOST_COMPARED = 1_000;

function refuseMany(n: number, what: string): void {
  if (n > MOST_COMPARED)
    throw new ValidationError(
      `The files hold more than ${MOST_COMPARED.toLocaleString("en-US")} ${what}, which no tool writes.`,
      {},
    );
}

/** A tag has no id: its trial and content identify it. */
function planTags(placed: readonly PlacedTag[], stored: readonly ImportedTag[]): readonly ImportedTag[] {
  const known = new Map(Array.from(Map.groupBy(stored, nameTag), ([name, tags]) => [name, [...tags]]));
  return placed.flatMap(({ tag }) => {
    const name = nameTag(tag);
    const same = known.get(name) ?? [];
    if (same.some(({ trial }) => isSameTrial(trial, tag.trial))) return [];
    refuseMany(same.length, "trials of one name with the very same tag");
    same.push(tag);
    known.set(name, same);
    return [tag];
  });
}

function nameTag({ trial, source, category, description, evidence }: ImportedTag): string {
  // Evidence fields are always in the same order.
  return JSON.stringify([trial.trialName, source, category, description, evidence]);
}

function planAnswers(lines: readonly Line<"answer">[], stored: readonly Statement<Answer>[]) {
  const byQuestion = Map.groupBy(stored, (one) => nameQuestion(readQuestion(one)));
  const added: NewStatement<Answer>[] = [];
  const conflicts: ImportConflict[] = [];
  for (const line of lines) {
    const { body, at } = line.said;
    const question = readQuestion(line.said);
    const own = (byQuestion.get(nameQuestion(question)) ?? []).filter((one) =>
      isSameQuestion(readQuestion(one), question),
    );
    const last = own.at(-1)?.body.answer;
    // Do not restore an answer that was changed or undone here since.
    if (last === body.answer || own.some((one) => one.body.answer === body.answer && one.at === at)) continue;
    if (last === undefined || last === "withdrawn") added.push(line.said);
    else conflicts.push(describeConflict("fork", line, body.trial, CONFLICTS.answer.fork));
  }
  return { added, conflicts, nKnown: lines.length - added.length - conflicts.length };
}

function planNotes(lines: readonly Line<"note">[], stored: readonly Statement<Note>[], actor: Actor) {
  const added = new Set<Line<"note">>();
  const conflicts: ImportConflict[] = [];
  let nKnown = 0;
  const here = Map.groupBy(stored, nameTarget);
  for (const [target, own] of Map.groupBy(lines, ({ said }) => nameTarget(said))) {
    refuseMany(own.length, "changes of one name or dismissal");
    const before = here.get(target) ?? [];
    const known = new Set(before.map(nameChange));
    const isKnown = ({ said }: Line<"note">) => known.has(nameChange(said));
    nKnown += own.filter(isKnown).length;
    const coming = own.slice(own.findLastIndex(isKnown) + 1);
    const [first] = coming;
    if (first === undefined) continue;
    const last = before.at(-1);
    const lastName = last === undefined ? null : nameChange(last);
    // The file continues from the stored state, or nothing is stored.
    if (lastName !== null && !own.some(({ said }) => nameChange(said) === lastName))
      conflicts.push(describeNote("fork", first));
    else if (isOthers(coming, before, actor)) conflicts.push(describeNote("owned", first));
    else for (const line of coming) added.add(line);
  }
  return { added: lines.flatMap((line) => (added.has(line) ? line.said : [])), conflicts, nKnown };
}

function isOthers(coming: readonly Line<"note">[], before: readonly Statement<Note>[], actor: Actor) {
  const foreign = before.filter((one) => !mayChange(one.actor, actor));
  const names = new Set(foreign.map(({ author }) => computeReviewerKey(author)));
  const first = coming[0]?.said.body;
  const isUndone = first?.kind === "restored" && first.about === null;
  return (
    coming.some(({ said }) => names.has(computeReviewerKey(said.author))) ||
    (isUndone && foreign.some((one) => one === before.at(-1)))
  );
}

function nameTarget({ body, subject }: NewStatement<Note>): string {
  return `${body.kind === "named" ? "name" : "dismissal"} ${subject}`;
}

function nameChange({ body, author, at }: NewStatement<Note>): string {
  return JSON.stringify([body.kind, body.text, author, at]);
}

function describeNote(kind: "fork" | "owned", line: Line<"note">): ImportConflict {
  const { body, subject } = line.said;
  const isName = body.kind === "named";
  const what = isName ? "The name of this cluster" : "The dismissal of this finding";
  const about = { trialName: isName ? body.about.pattern : subject, jobName: "" };
  return describeConflict(kind, line, about, `${what} ${CONFLICTS.note[kind]}. The version here is kept.`);
}
