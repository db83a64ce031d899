import "server-only";

import type { OpenTrial } from "@/lib/addresses/trial";
import type { BlindPart } from "@/lib/domain/review";
import type { TrialJudgments } from "@/lib/annotations";
import type { LoadIssue } from "@/lib/domain/load-issue";
import type { RubricRequest } from "@/lib/domain/rubric";
import type { TrialRecord } from "@/lib/domain/trial";
import type { ListStarts } from "@/lib/domain/trial-lists";
import { VERDICTS } from "@/lib/domain/verification";
import { listShares } from "@/lib/domain/dimension-names";
import { nameTest } from "@/lib/domain/tally-tests";
import {
  type FigureRow,
  type IndexStore,
  type JobHead,
  readFiguresOfKind,
  readPassedFailure,
  readTrialFailure,
  readTrialIssues,
  readTrialScans,
  readNeighbours,
  type TrialClassRow,
  type TrialFailureRow,
  type TrialNeighbours,
  type TrialScans,
} from "@/lib/store";
import { describeUnread, showEvaluation, type ShownEvaluation } from "@/lib/trial-evaluation";
import { listDisqualifying, listRewards, readReward, type RewardText } from "@/lib/verification";
import {
  NO_DETAILS,
  NO_TRAJECTORY,
  prepareSteps,
  readApart,
  type StepsRequest,
  type TrialDetails,
  type TrialReading,
  type TrialSteps,
  unlessReadingFails,
} from "@/lib/trial-reading";

import { getIdentityOf, getStore, getStoreOfJob } from "../shell/catalog";
import type { QueueItemView } from "../annotations/queue-item";
import { readTrialChecks, type TrialChecks } from "./checks";
import { type ExceptionView, isExceptionCut, listExceptions } from "./exceptions";
import { readDecisions, readJudgments, requestEvaluation } from "./evaluation";
import { readTrialLineage, type TrialLineage } from "./lineage";
import { readTrialInList, type TrialInList } from "./list";
import { type LocatedTrial, locateTrial } from "./locate";
import { readTrialReports, type TrialReports } from "./reports";
import { readTaskAround, type TaskAround } from "./task";
import { readTrialRubric, type TrialRubric } from "./rubric";

/** Everything the trial page shows outside its tabs. */
export interface TrialPage extends Omit<TrialDetails, "placedIssues"> {
  /** Why its folder may not be entered, so that nothing is known of its files; null when it may. */
  readonly lock: LoadIssue | null;
  /** Why none of the steps could be read, whose number is then unknown; null when some were, or there is no trajectory. */
  readonly unreadSteps: LoadIssue | null;
  readonly job: JobHead;
  readonly trial: TrialRecord;
  readonly identity: number;
  readonly neighbours: TrialNeighbours;
  /** What the links of its page are built from. */
  readonly at: OpenTrial;
  /** Its place in the list that its page was opened from; null for all trials of the job. */
  readonly inList: TrialInList | null;
  /** Null when there is no reward, and of several when none is called `reward`. */
  readonly headline: RewardText | null;
  /** Types of its exceptions that make its reward invalid; empty where it counts. */
  readonly disqualifying: readonly string[];
  /** In file order, the headline among them; empty when there is no reward. */
  readonly rewards: readonly RewardText[];
  /** Reward files against result.json: the worst figure of the trial and its steps; null when there is none. */
  readonly rewardFigure: FigureRow | null;
  /** The trial's exception, then those of its steps that are not the same one. */
  readonly exceptions: readonly ExceptionView[];
  /** Why it did not pass; null for one that passed or still runs, and while its job is not classified. */
  readonly failure: TrialFailureRow | null;
  /** What it did not fail for although it has an exception; null without one, and while its job is not classified. */
  readonly passedFailure: TrialClassRow | null;
  /** Rewards of each step in the order of `trial.steps`; empty for a single-step trial. */
  readonly stepRewards: readonly (readonly RewardText[])[];
  /** What jobs of `harbor analyze` and `harbor check` say of it or its task. */
  readonly reports: TrialReports;
  /** The same task in other trials. */
  readonly task: TaskAround;
  /** What the evaluation contract says of the trial, reviewers' judgments included. */
  readonly evaluation: ShownEvaluation;
  readonly trajectory: TrialSteps;
  /** Null when nobody reviewed the trial or the store cannot be read. */
  readonly judgments: TrialJudgments | null;
  /** Paths begin with the root's label. */
  readonly issues: readonly LoadIssue[];
  /** The file that its result was read from, relative to its folder or, of a ledger's, to the opened one; null without any. */
  readonly recordFile: string | null;
  /** Files of which the page shows only a part. */
  readonly cutFiles: readonly string[];
  readonly checks: TrialChecks;
  readonly lineage: TrialLineage;
  readonly rubric: TrialRubric | null;
  /** What scanners found in it; null while anything is hidden. */
  readonly scans: TrialScans | null;
  /** The queue that it was opened from; null outside of queues. */
  readonly queueItem: QueueItemView | null;
  /** What is not in here, because the queue hides it from whoever asks. */
  readonly hidden: readonly BlindPart[];
}

/** Which part of each long list and which rows of the trajectory a page shows, null for none, the rubric that it tries, and its list. */
export interface TrialWindow {
  readonly starts: ListStarts;
  readonly steps: StepsRequest | null;
  readonly rubric: RubricRequest;
  /** The list that the page was opened from, as its address has it. */
  readonly list: string | null;
  /** The queue that it was opened from; null outside of queues. */
  readonly queueItem: QueueItemView | null;
}

/** A trial with everything that its page shows, also what a queue hides (see `getQueueTrialPage`); null when no open folder holds it, or its job's trials are not read yet. */
export async function getTrialPage(
  jobKey: string,
  trialKey: string,
  window: TrialWindow,
): Promise<TrialPage | null> {
  const store = await getStoreOfJob(jobKey);
  const located = await locateTrial(store, jobKey, trialKey);
  if (located === null) return null;
  const { job, trial, place } = located;
  const surroundings = readSurroundings(store, located);
  const readings = readFiles(located, window);
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
  return {
    job,
    trial,
    identity: identityOf(trial.agent, trial.model),
    at:
      queueItem === null
        ? { jobKey: job.key, trialKey: trial.key, list: inList && window.list, queue: null }
        : openQueueTrial(queueItem),
    queueItem,
    hidden: [],
    inList,
    ...around,
    headline: readReward(trial.rewards),
    disqualifying: trial.outcome === "invalid" ? listDisqualifying(trial) : [],
    rewards: listRewards(trial.rewards),
    exceptions,
    stepRewards: (trial.steps ?? []).map((step) => listRewards(step.rewards)),
    judgments,
    ...details,
    evaluation: reading.evaluation,
    trajectory: reading.steps,
    lock,
    unreadSteps: lock ?? findUnreadSteps(reading.details),
    recordFile,
    cutFiles: isRecordCut && recordFile !== null ? [recordFile, ...details.cutFiles] : details.cutFiles,
    issues: [
      ...around.issues,
      // Of a locked folder each look says the same again.
      ...(lock === null ? issues : []).map((issue) => ({
        ...issue,
        path: issue.path === "" ? folder : `${folder}/${issue.path}`,
      })),
      ...placedIssues,
    ],
    checks,
    lineage,
    reports,
    rubric,
    scans,
    task,
  };
}

/** Addresses of a queue's trial name the queue alone, also after everything is shown. */
function openQueueTrial({ head: { queueId }, position }: QueueItemView): OpenTrial {
  return { jobKey: "", trialKey: "", list: null, queue: { queueId, position } };
}

/** What the page says of single tests and dimensions, as the index names them. */
function listNames({ tests, sources }: TrialDetails) {
  return {
    tests: tests.flatMap((report) =>
      report.tests.flatMap((test) => (test.status === "failed" ? [nameTest(report, test)] : [])),
    ),
    dimensions: sources.flatMap((source) => listShares(source).map(([name]) => name)),
  };
}

/** What reviewers and the trial's files say; when reading the files fails as a whole, nothing, and the issue that says why. */
async function readFiles(
  located: LocatedTrial,
  { starts, steps }: TrialWindow,
): Promise<{ readonly judgments: TrialJudgments | null; readonly reading: TrialReading }> {
  const { job, trial, place } = located;
  const judgments = await readJudgments(located);
  const decisions = await readDecisions();
  const request = requestEvaluation(job, place.root.label, { trial, path: place.path }, judgments, decisions);
  const reading = readApart("trial", place.path ?? "", place, request, starts, steps);
  return {
    judgments,
    reading: await unlessReadingFails(reading, (error) => ({
      details: {
        ...NO_DETAILS,
        issues: [{ code: "reading_failed", path: "", detail: error.message }],
      },
      evaluation: showEvaluation({ ...request, result: describeUnread(request, error) }),
      steps: prepareSteps(NO_TRAJECTORY, trial, "", null),
    })),
  };
}

/** What the index says around a trial: a few rows, however many trials the job has. */
export async function readSurroundings(
  store: IndexStore,
  located: LocatedTrial,
): Promise<Pick<TrialPage, "neighbours" | "rewardFigure" | "issues" | "failure" | "passedFailure">> {
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
  return { neighbours, rewardFigure: findWorstFigure(figures), failure, passedFailure, issues };
}

function findRecordFile({ folder, ledger }: TrialRecord): string | null {
  if (folder === "") return null;
  return ledger === null ? "result.json" : folder;
}

/** What kept a trajectory from being read as a whole; null when some of it was, when it holds no steps, and without one. */
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
