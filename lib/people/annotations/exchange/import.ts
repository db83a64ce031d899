import { randomUUID } from "node:crypto";

import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { ValidationError } from "@/lib/core/domain/app-error";
import { CATEGORY_LIMITS, foldLabel, listTypedContexts } from "@/lib/core/domain/codebook";
import { type CategoryContext, findContext } from "@/lib/core/domain/review";

import { groupEvents } from "../chain";
import { type CodebookHistory, FIRST_CODEBOOK, resolveLabel } from "../codebook/fold";
import { foldChanges, insertChange } from "../codebook/verbs";
import { type DecisionEvent, foldDecisions, prepareDecision } from "../decisions/decisions";
import type { Actor } from "../owner";
import { selectQueues } from "../queues/stored-queue";
import { type AnnotationEvent, foldJudgments, insertEvents } from "../record";
import { addStatements } from "../statements/statement";
import type { AnnotationStore } from "../store";
import type { AnnotationDb } from "../tables";
import { insertTags, selectStandingTags } from "../tags/tags";
import { selectAnswers } from "../triage/answers";
import { selectNotes } from "../triage/notes";
import { type DecisionLine, type Gathered, gatherLines, type LineError, MOST_ERRORS } from "./gather";
import { type ImportPlan, planImport, type StoreContent } from "./plan-import";
import { placeTags, planTriage, type TriageContent, type TriagePlan } from "./plan-triage";
import { insertQueueLines } from "./queue-lines";
import type { ImportFile } from "./read-lines";
import { settleCategories, type StatedCategories } from "./settle-categories";
import type { FindTrials } from "./triage-line";

/**
 * `checked`: nothing was written. `done`: all new lines are on disk. `refused`: invalid lines, nothing was written. `nOlder` counts
 * skipped versions: they would precede later ones that are already stored.
 */
export type ImportReport = ReturnType<typeof report>;

interface ImportOptions {
  readonly isDryRun: boolean;
  readonly actor: Actor;
  readonly author?: string;
  /** Finds the trials that tags name. Without it, tag lines must name the job and are stored unchanged. */
  readonly findTrials?: FindTrials;
}

/**
 * All or nothing: every line is checked first, and an invalid one blocks the import. A conflict only excludes what it concerns.
 * Repeating an import changes nothing.
 * @throws ValidationError; StoreError (nothing was stored)
 */
export async function importAnnotations(
  store: AnnotationStore,
  files: readonly ImportFile[],
  { isDryRun, actor, author = "", findTrials }: ImportOptions,
  now: Date = new Date(),
): Promise<ImportReport> {
  const read = await gatherLines(files);
  const open = findTrials === undefined || read.tags.length === 0 ? null : await findTrials(nameTrials(read));
  const { tags, lost } = placeTags(read.tags, open);
  const gathered = refuseLines(read, lost, files);
  const source = { ...gathered, damage: await store.readDamage() };
  const plan = (content: Content): Plan => ({
    ...planImport(gathered, content, actor),
    triage: planTriage(gathered, tags, content.triage, actor),
  });
  if (isDryRun || gathered.nErrors > 0) {
    const content = await store.read(NOTHING, (db) => selectContent(db, source));
    const planned = plan(content);
    // Report only what the import would really do.
    if (gathered.nErrors === 0) findMissingCategories(content.codebook, planned);
    return report(isDryRun ? "checked" : "refused", gathered, planned, now);
  }
  return store.write(async (db) => {
    const content = await selectContent(db, source);
    const planned = plan(content);
    const importer = actor.earlierKeyHash === undefined ? null : author;
    await apply(db, planned, { missing: findMissingCategories(content.codebook, planned), now, importer });
    await applyTriage(db, planned.triage, { author, actor, now });
    return report("done", gathered, planned, now);
  });
}

interface Source extends Gathered {
  readonly damage: StoreContent["unreadable"];
}

interface Content extends StoreContent {
  readonly triage: TriageContent;
}

interface Plan extends ImportPlan {
  readonly triage: TriagePlan;
}

function nameTrials({ tags }: Gathered): ReadonlySet<string> {
  return new Set(tags.map(({ fields }) => fields.trial));
}

function refuseLines(gathered: Gathered, lost: readonly LineError[], files: readonly ImportFile[]): Gathered {
  if (lost.length === 0) return gathered;
  const order = new Map(files.map(({ name }, at) => [name, at]));
  const place = ({ file }: LineError) => order.get(file) ?? 0;
  const errors = [...gathered.errors, ...lost].toSorted((a, b) => place(a) - place(b) || a.line - b.line);
  return { ...gathered, errors: errors.slice(0, MOST_ERRORS), nErrors: gathered.nErrors + lost.length };
}

const NOTHING: Content = {
  events: [],
  unreadable: [],
  decisions: { events: [], unreadable: [] },
  codebook: FIRST_CODEBOOK,
  queueIds: new Set(),
  triage: { tags: [], answers: [], notes: [] },
};

async function selectContent(db: AnnotationDb, { tags, answers, notes, damage }: Source): Promise<Content> {
  const judgments = await foldJudgments(db);
  const codebook = await foldChanges(db);
  const { queues, unreadable } = await selectQueues(db);
  const queueIds = new Set([...queues, ...unreadable].map(({ queueId }) => queueId));
  const triage = {
    tags: tags.length === 0 ? [] : await selectStandingTags(db),
    answers: answers.length === 0 ? [] : await selectAnswers(db),
    notes: notes.length === 0 ? [] : await selectNotes(db),
  };
  const decisions = await foldDecisions(db);
  const addDamage = <T extends Pick<StoreContent, "unreadable">>(read: T): T => ({
    ...read,
    unreadable: [...read.unreadable, ...damage],
  });
  return { ...addDamage(judgments), decisions: addDamage(decisions), codebook, queueIds, triage };
}

interface Applied {
  readonly missing: MissingCategories;
  readonly now: Date;
  readonly importer: string | null;
}

async function apply(db: AnnotationDb, plan: ImportPlan, { missing, now, importer }: Applied): Promise<void> {
  const author = plan.added[0]?.event.reviewerId ?? plan.addedDecisions[0]?.fields.decided_by ?? "import";
  await addCategories(db, missing, { author, now });
  const history = await foldChanges(db);
  const settled = plan.added.map(({ line, event: stated }) => {
    const event = signEvent(stated, importer);
    if (event.withdraws !== null) return event;
    const { labels, version } = settleCategories(history, line.fields);
    return { ...event, categories: labels, codebookVersion: version };
  });
  await insertEvents(db, settled);
  const settle = ({ fields }: DecisionLine, event: DecisionEvent) => {
    const { labels, version } = settleCategories(history, fields);
    const decision = { ...event.decision, categories: labels, codebookVersion: version ?? 0 };
    return prepareDecision({ ...event, decision });
  };
  const undo = (line: DecisionLine) => (line.withdrawal === null ? [] : [settle(line, line.withdrawal)]);
  for (const { fields, trials } of plan.addedQueues) await insertQueueLines(db, fields, trials);
  await addStatements(db, [
    ...plan.addedDecisions.flatMap((line) => [settle(line, line.event), ...undo(line)]),
    ...plan.withdrawnDecisions.flatMap(undo),
  ]);
}

/** Marks events by other reviewers as imported by this account. The file cannot claim another importer. */
function signEvent(event: AnnotationEvent, importer: string | null): AnnotationEvent {
  if (importer === null || event.reviewerKey === computeReviewerKey(importer)) return event;
  return { ...event, savedBy: `import by ${importer}` };
}

async function applyTriage(
  db: AnnotationDb,
  { tags, answers, notes }: TriagePlan,
  made: { readonly author: string; readonly actor: Actor; readonly now: Date },
): Promise<void> {
  await insertTags(db, tags, made);
  await addStatements(db, [...answers, ...notes]);
}

function report(state: "checked" | "done" | "refused", gathered: Gathered, plan: Plan, now: Date) {
  const saved = plan.added.filter(({ event }) => event.withdraws === null);
  const ofNew = new Set(saved.map(({ event }) => event.versionId));
  const nWithdrawnHere = plan.added.filter(
    ({ event }) => event.withdraws !== null && !ofNew.has(event.withdraws),
  ).length;
  const { triage } = plan;
  const conflicts = [...plan.conflicts, ...triage.conflicts];
  const subjects = [...plan.trials, ...triage.trials].map((subject) => ({ subject }));
  return {
    state,
    nLines: gathered.nLines,
    nNew: saved.length,
    nNewDecisions: plan.addedDecisions.length,
    nNewQueues: plan.addedQueues.length,
    nNewTags: triage.tags.length,
    nNewAnswers: triage.answers.length,
    nNewNotes: triage.notes.length,
    nWithdrawn: nWithdrawnHere + plan.withdrawnDecisions.length,
    nKnown: plan.nKnown + triage.nKnown,
    nRepeated: gathered.nRepeated,
    nOlder: plan.nOlder,
    errors: gathered.errors,
    nErrors: gathered.nErrors,
    conflicts: conflicts.slice(0, MOST_ERRORS),
    nConflicts: conflicts.length,
    notes: listNotes(gathered, plan, now),
    trials: groupEvents(subjects).flatMap(([first]) => first?.subject ?? []),
  };
}

function listNotes(
  { judgments, decisions, nUnreadable, isDamaged }: Gathered,
  { nRenamed, nOfLostQueues }: ImportPlan,
  now: Date,
): readonly string[] {
  const times = [...judgments, ...decisions].map(({ fields }) => fields.timestamp);
  const nFuture = times.filter((time) => Date.parse(time) > now.getTime()).length;
  const notes: string[] = [];
  if (nFuture > 0)
    notes.push(
      `${nFuture.toLocaleString("en-US")} of them ${nFuture === 1 ? "has a time" : "have times"} in the future. Times are kept; versions count in the order of their numbers.`,
    );
  if (nRenamed > 0)
    notes.push(
      `${nRenamed.toLocaleString("en-US")} ${nRenamed === 1 ? "category name does" : "category names do"} not match the id. The id counts, with the name of its category here.`,
    );
  if (nOfLostQueues > 0)
    notes.push(
      `${nOfLostQueues.toLocaleString("en-US")} ${nOfLostQueues === 1 ? "line is" : "lines are"} from a queue that is neither here nor in the files. No corrected score counts these judgments. Import an export of the whole queue.`,
    );
  if (nUnreadable > 0)
    notes.push(
      `${nUnreadable.toLocaleString("en-US")} lines are about rows that their source could not read, and are left out.`,
    );
  if (isDamaged) notes.push("The files come from a damaged store and are incomplete.");
  return notes;
}

interface NamedCategory {
  readonly label: string;
  /** As in the line: undefined if absent, null if no codebook knew the label. */
  readonly id: string | null | undefined;
  /** Version of the exporting store's codebook. */
  readonly version: number;
  readonly contexts: readonly CategoryContext[];
}

type NewCategory = {
  readonly id: string;
  readonly label: string;
  readonly contexts: CategoryContext[];
};

interface MissingCategories {
  readonly added: readonly NewCategory[];
  readonly renamed: readonly NewCategory[];
}

/** Returns none if the codebook is not fully readable. @throws ValidationError when it would grow too large */
function findMissingCategories(
  history: CodebookHistory,
  plan: Pick<ImportPlan, "added" | "addedDecisions">,
): MissingCategories {
  if (history.problem !== null) return { added: [], renamed: [] };
  const missing = chooseMissing(history, listNamed(plan));
  const nAdded = missing.added.length;
  const most = CATEGORY_LIMITS.categories.toLocaleString("en-US");
  if (nAdded > 0 && history.codebook.categories.length + nAdded > CATEGORY_LIMITS.categories)
    throw new ValidationError(
      `The judgments name ${nAdded.toLocaleString("en-US")} new categories. A codebook has at most ${most}.`,
      {},
    );
  return missing;
}

/** Adds categories under their original ids. One with several names gets the last and keeps the others. */
async function addCategories(
  db: AnnotationDb,
  { added, renamed }: MissingCategories,
  { author, now }: { readonly author: string; readonly now: Date },
): Promise<void> {
  if (added.length === 0) return;
  const prepare = ({ label, contexts }: Omit<NewCategory, "id">) => ({
    label,
    definition: "",
    example: "",
    counterExample: "",
    colour: null,
    parentId: null,
    contexts,
  });
  const categories = added.map((one) => ({ id: one.id, ...prepare(one) }));
  await insertChange(db, { kind: "add", categories }, author, now);
  for (const one of renamed)
    await insertChange(db, { kind: "edit", id: one.id, text: prepare(one) }, author, now);
}

function chooseMissing(history: CodebookHistory, named: readonly NamedCategory[]): MissingCategories {
  const ids = new Set(history.codebook.categories.map(({ id }) => id));
  const added = new Map<string, NewCategory>();
  const renamed: NewCategory[] = [];
  const seen = new Set<string>();
  for (const { label, id = randomUUID(), version, contexts } of named.toSorted(
    (a, b) => a.version - b.version,
  )) {
    const folded = foldLabel(label);
    if (id === null || folded === "" || seen.has(folded)) continue;
    seen.add(folded);
    if (resolveLabel(history, label, version) !== null || ids.has(id)) continue;
    const category = { id, label, contexts: [...contexts] };
    if (added.has(id)) renamed.push(category);
    else added.set(id, category);
  }
  return { added: [...added.values()], renamed };
}

function listNamed({ added, addedDecisions }: Pick<ImportPlan, "added" | "addedDecisions">): NamedCategory[] {
  const judged = added.flatMap(({ line: { fields }, event }) =>
    event.judgment === null
      ? []
      : nameCategories(fields, findContext(event.judgment, event.subject.outcomeSeen)),
  );
  const decided = addedDecisions.flatMap(({ fields }) =>
    nameCategories(fields, findContext(fields.final_judgment ?? "defer", fields.outcome_seen)),
  );
  return [...judged, ...decided];
}

function nameCategories(fields: StatedCategories, context: CategoryContext): readonly NamedCategory[] {
  const ids = fields.category_ids;
  return fields.categories.map((label, index) => ({
    label,
    id: ids === null || ids === undefined ? undefined : (ids[index] ?? null),
    version: fields.codebook_version ?? 0,
    contexts: listTypedContexts(context),
  }));
}
