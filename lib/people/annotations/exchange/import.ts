import { computeReviewerKey, type TrialIdentity } from "@/lib/core/domain/annotation";
import { findContext } from "@/lib/core/domain/review";

import { type CodebookHistory, FIRST_CODEBOOK } from "../codebook/fold";
import { foldChanges } from "../codebook/verbs";
import { foldDecisions } from "../decisions/decisions";
import type { Actor } from "../owner";
import { prepareQueue, prepareQueueEvent, selectQueues } from "../queues/stored-queue";
import { foldJudgments } from "../record";
import { addStatements, type NewStatement } from "../statements/statement";
import type { AnnotationStore } from "../store";
import type { UnreadableRow } from "../stored-columns";
import type { AnnotationDb } from "../tables";
import { prepareTags, selectStandingTags } from "../tags/tags";
import { selectAnswers } from "../triage/answers";
import { selectNotes } from "../triage/notes";
import { addCategories, findMissingCategories, settleCategories } from "./categories";
import {
  type Gathered,
  gatherLines,
  type LineError,
  MOST_ERRORS,
  type QueueLine,
  type ImportFile,
} from "./gather";
import { type ImportPlan, placeTags, planImport, type Planned, type StoreContent } from "./plan";

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
  readonly findTrials?: (names: ReadonlySet<string>) => Promise<readonly TrialIdentity[]>;
}

/**
 * All or nothing: every line is checked first, and an invalid one blocks the import. A conflict only excludes what it concerns.
 * Repeating an import changes nothing.
 */
export async function importAnnotations(
  store: AnnotationStore,
  files: readonly ImportFile[],
  { isDryRun, actor, author = "", findTrials }: ImportOptions,
  now: Date = new Date(),
): Promise<ImportReport> {
  const read = await gatherLines(files);
  const names = new Set(read.tags.map(({ said }) => said.trial));
  const open = findTrials === undefined || names.size === 0 ? null : await findTrials(names);
  const { tags, lost } = placeTags(read.tags, open);
  const gathered = refuseLines(read, lost, files);
  const damage = await store.readDamage();
  const plan = (content: StoreContent) => planImport(gathered, tags, content, actor);
  if (isDryRun || gathered.nErrors > 0) {
    const content = await store.read(NOTHING, (db) => selectContent(db, gathered, damage));
    const planned = plan(content);
    // Report only what the import would really do.
    if (gathered.nErrors === 0) findMissing(content.codebook, planned);
    return report(isDryRun ? "checked" : "refused", gathered, planned, now);
  }
  return store.write(async (db) => {
    const content = await selectContent(db, gathered, damage);
    const planned = plan(content);
    const [first] = [...planned.judgments, ...planned.decisions];
    const namer = { author: first?.said.author ?? "import", now };
    await addCategories(db, findMissing(content.codebook, planned), namer);
    const importer = actor.earlierKeyHash === undefined ? null : author;
    const history = await foldChanges(db);
    const settle = (one: Planned) => settleStatement(one, history, importer);
    await addStatements(db, [
      ...planned.judgments.map(settle),
      ...planned.queues.flatMap(prepareQueueLine),
      ...planned.decisions.map(settle),
      ...prepareTags(planned.tags, { author, actor, now }),
      ...planned.answers,
      ...planned.notes,
    ]);
    return report("done", gathered, planned, now);
  });
}

function refuseLines(gathered: Gathered, lost: readonly LineError[], files: readonly ImportFile[]): Gathered {
  if (lost.length === 0) return gathered;
  const order = new Map(files.map(({ name }, at) => [name, at]));
  const place = ({ file }: LineError) => order.get(file) ?? 0;
  const errors = [...gathered.errors, ...lost].toSorted((a, b) => place(a) - place(b) || a.line - b.line);
  return { ...gathered, errors: errors.slice(0, MOST_ERRORS), nErrors: gathered.nErrors + lost.length };
}

const NOTHING: StoreContent = {
  ...{ judgments: [], decisions: [], unreadable: [], tags: [], answers: [], notes: [] },
  codebook: FIRST_CODEBOOK,
  queueIds: new Set(),
};

async function selectContent(
  db: AnnotationDb,
  { tags, answers, notes }: Gathered,
  damage: readonly UnreadableRow[],
): Promise<StoreContent> {
  const judgments = await foldJudgments(db);
  const decisions = await foldDecisions(db);
  const { queues, unreadable } = await selectQueues(db);
  return {
    judgments: judgments.events,
    decisions: decisions.events,
    unreadable: [...judgments.unreadable, ...decisions.unreadable, ...damage],
    codebook: await foldChanges(db),
    queueIds: new Set([...queues, ...unreadable].map(({ queueId }) => queueId)),
    tags: tags.length === 0 ? [] : await selectStandingTags(db),
    answers: answers.length === 0 ? [] : await selectAnswers(db),
    notes: notes.length === 0 ? [] : await selectNotes(db),
  };
}

function findMissing(history: CodebookHistory, { judgments, decisions }: ImportPlan) {
  const saved = [...judgments, ...decisions].filter(({ said }) => said.parent === null);
  return findMissingCategories(
    history,
    saved.map(({ line, said: { body } }) => {
      const judgment = "judgment" in body ? body.judgment : body.finalJudgment;
      return { stated: line.stated, context: findContext(judgment ?? "defer", body.trial.outcomeSeen) };
    }),
  );
}

/** Uses the category ids of this codebook. This account is the importer, since a file could claim another one. */
function settleStatement(
  { line, said }: Planned,
  history: CodebookHistory,
  importer: string | null,
): NewStatement {
  const isOfOther = importer !== null && computeReviewerKey(said.author) !== computeReviewerKey(importer);
  const sign = line.kind === "judgment" && isOfOther ? { savedBy: `import by ${importer}` } : {};
  if (line.kind === "judgment" && said.parent !== null) return { ...said, body: { ...said.body, ...sign } };
  const { labels, version } = settleCategories(history, line.stated);
  const codebookVersion = line.kind === "decision" ? (version ?? 0) : version;
  return { ...said, body: { ...said.body, categories: labels, codebookVersion, ...sign } };
}

function prepareQueueLine({ events, trials, ...head }: QueueLine): readonly NewStatement[] {
  return [
    ...prepareQueue(head, trials),
    ...events.map(({ reviewer_id: reviewerId, timestamp: at, ...event }) =>
      prepareQueueEvent({ ...event, queueId: head.queueId, reviewerId, at }),
    ),
  ];
}

function report(state: "checked" | "done" | "refused", gathered: Gathered, plan: ImportPlan, now: Date) {
  const planned = [...plan.judgments, ...plan.decisions];
  const saved = Object.groupBy(planned, ({ line, said }) => (said.parent === null ? line.kind : "undo"));
  const ofNew = new Set<string | null>(planned.map(({ said }) => said.id));
  return {
    state,
    nLines: gathered.nLines,
    nNew: saved.judgment?.length ?? 0,
    nNewDecisions: saved.decision?.length ?? 0,
    nNewQueues: plan.queues.length,
    nNewTags: plan.tags.length,
    nNewAnswers: plan.answers.length,
    nNewNotes: plan.notes.length,
    nWithdrawn: (saved.undo ?? []).filter(({ said }) => !ofNew.has(said.parent)).length,
    nKnown: plan.nKnown,
    nRepeated: gathered.nRepeated,
    nOlder: plan.nOlder,
    errors: gathered.errors,
    nErrors: gathered.nErrors,
    conflicts: plan.conflicts.slice(0, MOST_ERRORS),
    nConflicts: plan.conflicts.length,
    notes: listNotes(gathered, plan, now),
    trials: plan.trials,
  };
}

function listNotes(
  { judgments, decisions, nUnreadable, isDamaged }: Gathered,
  { nRenamed, nOfLostQueues }: ImportPlan,
  now: Date,
): readonly string[] {
  const nFuture = [...judgments, ...decisions].filter(
    ({ said }) => Date.parse(said.at) > now.getTime(),
  ).length;
  const count = (n: number, one: string, several: string) =>
    `${n.toLocaleString("en-US")} ${n === 1 ? one : several}`;
  const notes: (string | false)[] = [
    nFuture > 0 &&
      `${count(nFuture, "of them has a time", "of them have times")} in the future. Times are kept; versions count in the order of their numbers.`,
    nRenamed > 0 &&
      `${count(nRenamed, "category name does", "category names do")} not match the id. The id counts, with the name of its category here.`,
    nOfLostQueues > 0 &&
      `${count(nOfLostQueues, "line is", "lines are")} from a queue that is neither here nor in the files. No corrected score counts these judgments. Import an export of the whole queue.`,
    nUnreadable > 0 &&
      `${nUnreadable.toLocaleString("en-US")} lines are about rows that their source could not read, and are left out.`,
    isDamaged && "The files come from a damaged store and are incomplete.",
  ];
  return notes.filter((note) => note !== false);
}
