import "server-only";
import { listShares } from "@/lib/core/domain/dimension-names";
import { classifyFlip } from "@/lib/core/domain/lineage";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { BlindPart } from "@/lib/core/domain/review";
import type { RubricRequest } from "@/lib/core/domain/rubric";
import { nameTest } from "@/lib/core/domain/tally-tests";
import type { Trial } from "@/lib/core/domain/trial";
import type { ListStarts } from "@/lib/core/domain/trial-lists";
import { VERDICTS } from "@/lib/core/domain/verification";
import { showEvaluation } from "@/lib/core/trial-evaluation";
import { listDisqualifying, listRewards, readReward } from "@/lib/core/verification";
import type { OpenTrial } from "@/lib/pages/trial/address";
import {
  NO_DETAILS,
  NO_TRAJECTORY,
  type StepsRequest,
  type TrialDetails,
  type TrialReading,
  prepareSteps,
  readApart,
  unlessReadingFails,
} from "@/lib/read/trial-reading";
import { describeUnread } from "@/lib/read/trial-reading/evaluation";
import {
  type FigureRow,
  type IndexStore,
  readDisagreements,
  readFiguresOfKind,
  readNeighbours,
  readPassedFailure,
  readRegradedTrials,
  readRegradesOf,
  readSiblingDetails,
  readSuspicions,
  readTrialFailure,
  readTrialIssues,
  readTrialScans,
} from "@/lib/store/tables";

import type { QueueItemView } from "../queues/item";
import { getIdentityOf, getStore, getStoreOfJob } from "../shell/catalog";
import { getDerivedDetailsState } from "../shell/derived-details-state";
import { readDecisions, readJudgments, requestEvaluation } from "./evaluation";
import { type LocatedTrial, locateTrial } from "./locate";
import { isExceptionCut, listExceptions, readTrialInList, readTrialReports, readTrialRubric } from "./parts";
import { readTaskAround } from "./task";

export type TrialPage = NonNullable<Awaited<ReturnType<typeof getTrialPage>>>;

export interface TrialWindow {
  readonly starts: ListStarts;
  readonly steps: StepsRequest | null;
  readonly rubric: RubricRequest;
  readonly list: string | null;
  readonly queueItem: QueueItemView | null;
}

/** Includes what a queue hides, see `getQueueTrialPage`. Null if no open folder holds the trial, or its job's trials are unread. */
export async function getTrialPage(jobKey: string, trialKey: string, window: TrialWindow) {
  const store = await getStoreOfJob(jobKey);
  const located = await locateTrial(store, jobKey, trialKey);
  if (located === null) return null;
  const { job, trial, place } = located;
  const surroundings = readSurroundings(store, located);
  const readings = surroundings.then(({ failure }) => readFiles(located, window, failure));
  const [identityOf, inList, rubric, lineage, around, checks, { judgments, reading }, reports, task, scans] =
    await Promise.all([
      getIdentityOf(),
      readTrialInList(store, located, window.list, await getStore()),
      readTrialRubric(store, job, { ...located.row, taskName: trial.taskName }, window.rubric),
      readTrialLineage(store, located),
      surroundings,
      surroundings.then(({ neighbours }) => readTrialChecks(store, located, neighbours.attempts)),
      readings,
      readings.then((read) =>
        readTrialReports(store, trial, read.reading.details.analysis, window.starts.checks),
      ),
      Promise.all([readings, getIdentityOf(), getStore()]).then(([read, identity, counted]) =>
        readTaskAround(counted, located, listNames(read.reading.details), identity),
      ),
      readTrialScans(store, { jobRowId: job.rowId, position: located.row.position }),
    ]);
  const { issues, placedIssues, ...details } = reading.details;
  const exceptions = listExceptions(trial);
  const recordFile = findRecordFile(trial);
  const folder = `${place.root.label}/${trial.folder}`;
  const findOwnIssue = (sought: LoadIssue["code"]) =>
    around.issues.find(({ code, path }) => code === sought && path === folder) ?? null;
  const lock = findOwnIssue("folder_unreadable");
  const isRecordCut = findOwnIssue("text_too_long") !== null || exceptions.some(isExceptionCut);
  const { queueItem } = window;
  const at: OpenTrial =
    queueItem === null
      ? { jobKey: job.key, trialKey: trial.key, list: inList && window.list, queue: null }
      : openQueueTrial(queueItem);
  const hidden: readonly BlindPart[] = [];
  return {
    job,
    trial,
    identity: identityOf(trial.agent, trial.model),
    at,
    queueItem,
    hidden,
    inList,
    ...around,
    /** Null without a reward, or if none of several is called `reward`. */
    headline: readReward(trial.rewards),
    /** Types of its exceptions that make its reward invalid. */
    disqualifying: trial.outcome === "invalid" ? listDisqualifying(trial) : [],
    rewards: listRewards(trial.rewards),
    exceptions,
    /** In the order of `trial.steps`; empty for a single-step trial. */
    stepRewards: (trial.steps ?? []).map((step) => listRewards(step.rewards)),
    /** Null without a review, or if the store cannot be read. */
    judgments,
    ...details,
    evaluation: reading.evaluation,
    trajectory: reading.steps,
    /** Why the folder cannot be entered, so that its files are unknown. */
    lock,
    /** Why no step could be read, so that their number is unknown. Null if some were read, or without a trajectory. */
    unreadSteps: lock ?? findUnreadSteps(reading.details),
    /** Relative to the trial's folder or, for a ledger, to the opened folder. */
    recordFile,
    cutFiles: isRecordCut && recordFile !== null ? [recordFile, ...details.cutFiles] : details.cutFiles,
    /** Paths start with the root's label. */
    issues: [
      ...around.issues,
      // In a locked folder, every look reports the same issue.
      ...(lock === null ? issues : []).map((issue) => ({
        ...issue,
        path: issue.path === "" ? folder : `${folder}/${issue.path}`,
      })),
      ...placedIssues,
    ],
    checks,
    lineage,
    /** From jobs of `harbor analyze` and `harbor check`. */
    reports,
    rubric,
    scans,
    task,
  };
}

/** URLs of a queue's trial name only the queue, even after the reveal. */
function openQueueTrial({ head: { queueId }, position }: QueueItemView): OpenTrial {
  return { jobKey: "", trialKey: "", list: null, queue: { queueId, position } };
}

function listNames({ tests, sources }: TrialDetails) {
  return {
    tests: tests.flatMap((report) =>
      report.tests.flatMap((test) => (test.status === "failed" ? [nameTest(report, test)] : [])),
    ),
    dimensions: sources.flatMap((source) => listShares(source).map(([name]) => name)),
  };
}

/** If reading the files fails as a whole, returns the issue instead. */
async function readFiles(
  located: LocatedTrial,
  { starts, steps, queueItem }: TrialWindow,
  failure: Awaited<ReturnType<typeof readTrialFailure>>,
) {
  const { job, trial, place } = located;
  const judgments = await readJudgments(located);
  const decisions = await readDecisions();
  const request = requestEvaluation(job, place.root.label, { trial, path: place.path }, judgments, decisions);
  const cited = failure?.evidence.find(({ kind, place: { step } }) => step !== null && kind !== "end");
  // Causes are hidden in a blind review.
  const cause =
    queueItem !== null && queueItem.hidden.length > 0 ? null : { step: cited?.place.step ?? null };
  const reading = readApart("trial", place.path ?? "", place, request, starts, steps, cause);
  return {
    judgments,
    reading: await unlessReadingFails<TrialReading>(reading, (error) => ({
      details: {
        ...NO_DETAILS,
        issues: [{ code: "reading_failed", path: "", detail: error.message }],
      },
      evaluation: showEvaluation({ ...request, result: describeUnread(request, error) }),
      steps: prepareSteps(NO_TRAJECTORY, trial, "", null),
    })),
  };
}

/** Reads a few rows, however many trials the job has. */
export async function readSurroundings(store: IndexStore, located: LocatedTrial) {
  const { job, trial, row } = located;
  const { agent, taskName, attempt } = trial;
  const { groupKey, position } = row;
  const [neighbours, figures, failure, passedFailure, issues] = await Promise.all([
    readNeighbours(store, job.rowId, { groupKey, agent, taskName, attempt, position }),
    readFiguresOfKind(store, job.rowId, ["reward-file"], position),
    readTrialFailure(store, job.rowId, position),
    readPassedFailure(store, job.rowId, position),
    trial.folder === "" ? [] : readTrialIssues(store, job.rowId, trial.key),
  ]);
  return {
    neighbours,
    /** Reward files against result.json: the worst figure of the trial and its steps. */
    rewardFigure: findWorstFigure(figures),
    /** Null if it passed or still runs, and until its job is classified. */
    failure,
    /** Class of an exception that did not fail the trial. Null without one, and until the job is classified. */
    passedFailure,
    issues,
  };
}

function findRecordFile({ folder, ledger }: Trial): string | null {
  if (folder === "") return null;
  return ledger === null ? "result.json" : folder;
}

/** Null if some steps were read, if there are none, and without a trajectory. */
export function findUnreadSteps({
  nSteps,
  issues,
}: Pick<TrialDetails, "nSteps" | "issues">): LoadIssue | null {
  if (nSteps === null) return issues.find(({ code }) => code === "reading_failed") ?? null;
  if (nSteps > 0) return null;
  return issues.find(({ path }) => /(?:^|\/)trajectory[^/]*$/.test(path)) ?? null;
}

function findWorstFigure(figures: readonly FigureRow[]): FigureRow | null {
  const rank = ({ verdict }: FigureRow) => VERDICTS.indexOf(verdict);
  return figures.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** Until the files are read (`state`), the rest means nothing. */
async function readTrialChecks(
  store: IndexStore,
  { job, trial, row }: LocatedTrial,
  attempts: readonly { readonly key: string }[],
) {
  const [state, suspicions, [disagreement]] = await Promise.all([
    getDerivedDetailsState(job),
    readSuspicions(store, job.rowId, [trial.key, ...attempts.map(({ key }) => key)]),
    readDisagreements(store, job.rowId, 1, row.position),
  ]);
  const suspicion = suspicions.get(trial.key) ?? null;
  const { position } = row;
  const { taskName, taskDigest } = trial;
  const siblings =
    suspicion?.lacksDetails === true
      ? await readSiblingDetails(store, job.rowId, { position, taskName, taskDigest })
      : null;
  return {
    state,
    suspicion,
    /** Details of other trials of the task, if this one is suspected because it has none. */
    siblings,
    /** Trials of the same task and output with different rewards, including this one. */
    disagreement: disagreement ?? null,
    suspects: new Set(suspicions.keys()),
  };
}

export async function readTrialLineage(store: IndexStore, { job, row }: Pick<LocatedTrial, "job" | "row">) {
  const isRegraded = row.trial.sourceTrial !== null;
  const [own, regrades] = await Promise.all([
    isRegraded ? readRegradedTrials(store, job.rowId, row.position) : [],
    readRegradesOf(store, job.rowId, row.position),
  ]);
  const [regrade] = own;
  return {
    regrade: regrade === undefined ? null : { ...regrade, flip: classifyFlip(regrade.source, regrade) },
    regrades,
  };
}
