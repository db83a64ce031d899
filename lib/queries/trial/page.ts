import "server-only";

import type { TrialJudgments } from "@/lib/annotations";
import { NotFoundError } from "@/lib/domain/app-error";
import type { ClockTime } from "@/lib/domain/clock-time";
import type { LoadIssue } from "@/lib/domain/load-issue";
import { selectHeadlineReward, type TrialException, type TrialRecord } from "@/lib/domain/trial";
import type { TextBlock } from "@/lib/domain/trial-file";
import { LIST_STARTS, type ListStarts } from "@/lib/domain/trial-lists";
import { VERDICTS } from "@/lib/domain/job-filter";
import { prepareTextBlock } from "@/lib/loader/detail";
import { dumpPythonJson, type RewardDict } from "@/lib/scoring";
import {
  type FigureRow,
  type IndexStore,
  type JobHead,
  readFiguresOfKind,
  readTrialIssues,
  readNeighbours,
  type TrialNeighbours,
} from "@/lib/store";
import type { ShownEvaluation } from "@/lib/trial-evaluation";
import { NO_DETAILS, readApart, type TrialDetails, unlessReadingFails } from "@/lib/trial-reading";

import { getIdentityOf, getStore } from "../shell/catalog";
import { readJudgments, readTrialEvaluation } from "./evaluation";
import { readTrialChecks, type TrialChecks } from "./checks";
import { readTrialLineage, type TrialLineage } from "./lineage";
import { type LocatedTrial, locateTrial, placeIssues, placeTrial, prepareIssuePath } from "./locate";
import { readTrialReports, type TrialReports } from "./reports";

/** A reward key with its value as Python writes it. */
export interface RewardText {
  readonly key: string;
  readonly text: string;
  readonly isHeadline: boolean;
}

/** An exception ready to be shown. */
export interface ExceptionView {
  readonly type: string;
  /** Step that raised it; null for the trial as a whole. */
  readonly step: string | null;
  readonly message: TextBlock;
  readonly traceback: TextBlock | null;
  readonly at: ClockTime | null;
}

/** Everything the trial page shows outside its tabs. */
export interface TrialPage extends Omit<TrialDetails, "placedIssues"> {
  /** Why its folder may not be entered, so that nothing is known of its files; null when it may. */
  readonly lock: LoadIssue | null;
  /** Why none of the steps could be read, whose number is then unknown; null when some were, or there is no trajectory. */
  readonly unreadSteps: LoadIssue | null;
  readonly entry: JobHead;
  readonly trial: TrialRecord;
  readonly identity: number;
  readonly neighbours: TrialNeighbours;
  /** In file order, the headline among them; empty when there is no reward. */
  readonly rewards: readonly RewardText[];
  /** Reward files against result.json: the worst figure of the trial and its steps; null when there is none. */
  readonly rewardFigure: FigureRow | null;
  /** The trial's exception, then those of its steps that are not the same one. */
  readonly exceptions: readonly ExceptionView[];
  /** Rewards of each step in the order of `trial.steps`; empty for a single-step trial. */
  readonly stepRewards: readonly { readonly stepName: string; readonly rewards: readonly RewardText[] }[];
  /** What jobs of `harbor analyze` and `harbor check` say of it or its task. */
  readonly reports: TrialReports;
  /** What the evaluation contract says of the trial, reviewers' judgments included. */
  readonly evaluation: ShownEvaluation;
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
}

/**
 * A trial with its rewards, verification, breakdown, tests, tags and neighbours, its long lists from their `starts` on.
 *
 * @throws NotFoundError when no open folder holds the trial
 */
async function getTrialPage(jobKey: string, trialKey: string, starts: ListStarts): Promise<TrialPage> {
  const located = await locateTrial(jobKey, trialKey);
  const { entry, trial } = located;
  const store = await getStore();
  const [identityOf, surroundings, details, judgments] = await Promise.all([
    getIdentityOf(),
    readSurroundings(store, located),
    readDetails(located, starts),
    readJudgments(located),
  ]);
  const { issues, placedIssues, ...rest } = details;
  const exceptions = listExceptions(trial);
  const recordFile = findRecordFile(trial);
  const lock =
    surroundings.issues.find(
      ({ code, path }) => code === "folder_unreadable" && path === prepareIssuePath(located),
    ) ?? null;
  const isRecordCut =
    surroundings.issues.some(
      ({ code, path }) => code === "text_too_long" && path === prepareIssuePath(located),
    ) ||
    exceptions.some(
      ({ message, traceback }) => message.cutNote !== null || (traceback?.cutNote ?? null) !== null,
    );
  const attempts = surroundings.neighbours.attempts.map(({ key }) => key);
  const [reports, evaluation, checks, lineage] = await Promise.all([
    readTrialReports(store, trial, rest.analysis, starts.checks),
    readTrialEvaluation(located, judgments),
    readTrialChecks(store, located, attempts),
    readTrialLineage(store, located),
  ]);
  return {
    entry,
    trial,
    identity: identityOf(trial.agent, trial.model),
    ...surroundings,
    rewards: listRewardTexts(trial.rewards),
    exceptions,
    stepRewards: (trial.steps ?? []).map(({ stepName, rewards }) => ({
      stepName,
      rewards: listRewardTexts(rewards),
    })),
    judgments,
    evaluation,
    ...rest,
    lock,
    unreadSteps: lock ?? findUnreadSteps(details),
    recordFile,
    cutFiles: isRecordCut && recordFile !== null ? [recordFile, ...rest.cutFiles] : rest.cutFiles,
    issues: [
      ...surroundings.issues,
      // Of a locked folder each look says the same again.
      ...placeIssues(located, lock === null ? issues : []),
      ...placedIssues,
    ],
    checks,
    lineage,
    reports,
  };
}

/** The same; null when there is no such trial, or nobody can say because the trials of its job are not read yet. */
export async function getTrialPageOrNull(
  jobKey: string,
  trialKey: string,
  starts: ListStarts = LIST_STARTS,
): Promise<TrialPage | null> {
  try {
    return await getTrialPage(jobKey, trialKey, starts);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** What the index says around a trial: a few rows, however many trials the job has. */
export async function readSurroundings(
  store: IndexStore,
  located: LocatedTrial,
): Promise<Pick<TrialPage, "neighbours" | "rewardFigure" | "issues">> {
  const { entry, trial, row } = located;
  const { agent, taskName, attempt } = trial;
  const { groupKey, position } = row;
  const [neighbours, figures, issues] = await Promise.all([
    readNeighbours(store, entry.id, { groupKey, agent, taskName, attempt, position }),
    readFiguresOfKind(store, entry.id, ["reward-file"], position),
    trial.folder === "" ? [] : readTrialIssues(store, entry.id, trial.key),
  ]);
  return { neighbours, rewardFigure: findWorstFigure(figures), issues };
}

function findRecordFile({ folder, ledger }: TrialRecord): string | null {
  if (folder === "") return null;
  return ledger === null ? "result.json" : folder;
}

/** What its files say; when reading them fails as a whole, nothing, and the issue that says why. */
function readDetails(located: LocatedTrial, starts: ListStarts): Promise<TrialDetails> {
  const reading = readApart("details", located.path ?? "", placeTrial(located), starts);
  return unlessReadingFails(reading, ({ message }) => ({
    ...NO_DETAILS,
    issues: [{ code: "reading_failed", path: "", detail: message }],
  }));
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

const EXCEPTION_LIMITS = { maxLines: 400, maxLineChars: 2_000, maxBytes: 200_000 };

function listExceptions(trial: TrialRecord): readonly ExceptionView[] {
  const own = trial.exception === null ? [] : [viewException(trial.exception, null)];
  const steps = (trial.steps ?? []).flatMap(({ exception, stepName }) =>
    exception === null || isSameException(exception, trial.exception)
      ? []
      : [viewException(exception, stepName)],
  );
  return [...own, ...steps];
}

function isSameException(a: TrialException, b: TrialException | null): boolean {
  return b !== null && a.type === b.type && a.message === b.message;
}

function viewException(exception: TrialException, step: string | null): ExceptionView {
  return {
    type: exception.type,
    step,
    message: prepareTextBlock(exception.message, EXCEPTION_LIMITS),
    traceback: exception.traceback ? prepareTextBlock(exception.traceback, EXCEPTION_LIMITS) : null,
    at: exception.occurredAt,
  };
}

/** Reward keys with exact texts, in the order of the file. */
function listRewardTexts(rewards: RewardDict | null): readonly RewardText[] {
  const headline = selectHeadlineReward(rewards);
  return [...(rewards ?? [])].map(([key, value]) => ({
    key,
    text: dumpPythonJson(value),
    isHeadline: key === headline?.key,
  }));
}

function findWorstFigure(figures: readonly FigureRow[]): FigureRow | null {
  for (const verdict of VERDICTS) {
    const found = figures.find((figure) => figure.verdict === verdict);
    if (found !== undefined) return found;
  }
  return null;
}
