import "server-only";
import { compareText } from "@/lib/core/domain/compare-text";
import { sumBy } from "@/lib/core/domain/sum-by";
import { boundName } from "@/lib/core/domain/text-bounder";
import { computeExpectedWin, type ExpectedWin, type Unavailable, type WinBasis } from "@/lib/core/stats";
import type { FailureClass } from "@/lib/core/triage/classes";

import type { Judged } from "../annotations/judged";
import type { OracleTask } from "./oracle-tasks";
import type { Cell, Failure } from "./parts";

/** Trials by the basis that estimates their reward without the failure. */
interface WinBases {
  readonly nSame: number;
  readonly nOthers: number;
  readonly nElsewhere: number;
  /** Judgments of reviewers, who passed most trials that they judged. */
  readonly nReviewed: number;
}

type JudgmentOf = (failure: Failure) => "pass" | "fail" | "open" | null;

/** Returns null for every failure if judgments cannot be read. */
export function createJudgmentOf(judged: Judged | null): JudgmentOf {
  return ({ jobRowId, key }) => {
    const said = judged?.byJob.get(jobRowId)?.get(key)?.judgments.judgment;
    if (said === undefined) return null;
    return said === "pass" || said === "fail" ? said : "open";
  };
}

/**
 * Failures that one fix may resolve. `alike`: similar failures of one class; each failure is in exactly one. `broken`: failures of
 * a task that the oracle fails too. `strict`: failures of a task whose verifier reviewers call too strict.
 */
export interface Finding {
  /** Used in URLs and dismissals; the same in every run. */
  readonly key: string;
  readonly kind: "alike" | "broken" | "strict";
  readonly failureClass: FailureClass;
  /** The classes of its failures. It has all failures of its tasks or cluster with these classes. */
  readonly classes: readonly FailureClass[];
  readonly oracle: OracleTask | null;
  /** Judged failures, and those that reviewers passed or call too strictly verified. Null unless a verifier is strict. */
  readonly strict: { readonly nJudged: number; readonly nSaid: number } | null;
  readonly rules: readonly string[];
  /** Null if its failures belong to many clusters. */
  readonly clusterKey: string | null;
  readonly failures: readonly Failure[];
  readonly tasks: readonly string[];
  readonly byAgent: ReadonlyMap<string, number>;
  /** The only agent and model with it, if others tried the same tasks at least as often; null otherwise. */
  readonly only: string | null;
  /** In units of the mean reward of one dataset. `several-datasets` without a single mean, `no-values` if no result counts. */
  readonly win: ExpectedWin | Unavailable;
  readonly bases: WinBases;
  readonly reviews: ReturnType<typeof countReviews>;
}

/** Fewer judgments say nothing about the other trials. */
const ENOUGH_JUDGMENTS = 3;

interface Sum {
  n: number;
  reward: number;
}

function makeSum(): Sum {
  return { n: 0, reward: 0 };
}

/** Sums by agent and task, by task, and by agent. Attempts of a finding are subtracted from these. */
export class Attempts {
  private readonly ofTask = new Map<string, Sum>();
  private readonly ofAgent = new Map<string, { readonly all: Sum; readonly at: Map<string, Sum> }>();
  private readonly nTrials: number;
  private readonly nDatasets: number;

  constructor(cells: readonly Cell[]) {
    for (const cell of cells) {
      for (const sum of this.get(cell)) {
        sum.n += cell.nTrials;
        sum.reward += cell.reward;
      }
    }
    this.nTrials = cells.reduce((sum, { nTrials }) => sum + nTrials, 0);
    this.nDatasets = new Set(cells.map(({ dataset }) => dataset)).size;
  }

  /** Returns {@link computeExpectedWin} over all attempts. Only attempts at one dataset have a mean. */
  computeWin(bases: readonly WinBasis[], recorded: number): ExpectedWin | Unavailable {
    if (this.nDatasets > 1) return { kind: "unavailable", reason: "several-datasets" };
    return computeExpectedWin(bases, recorded, this.nTrials);
  }

  /** Returns the sums of the agent at the task, all agents at the task, and the agent anywhere, as the same objects each time. */
  get({ agentModel, task }: Pick<Cell, "agentModel" | "task">): readonly [Sum, Sum, Sum] {
    let agent = this.ofAgent.get(agentModel);
    if (agent === undefined) this.ofAgent.set(agentModel, (agent = { all: makeSum(), at: new Map() }));
    let cell = agent.at.get(task);
    if (cell === undefined) agent.at.set(task, (cell = makeSum()));
    let all = this.ofTask.get(task);
    if (all === undefined) this.ofTask.set(task, (all = makeSum()));
    return [cell, all, agent.all];
  }

  /** Sums an agent's attempts at all other tasks. */
  getElsewhere(agentModel: string, tasks: Iterable<string>): Sum {
    const own = this.ofAgent.get(agentModel);
    let { n, reward } = own?.all ?? makeSum();
    for (const task of tasks) {
      const cell = own?.at.get(task) ?? makeSum();
      n -= cell.n;
      reward -= cell.reward;
    }
    return { n, reward: clamp(reward, n) };
  }
}

/** Sums of shares may miss 0 in their last bits. */
function clamp(reward: number, n: number): number {
  return Math.min(n, Math.max(0, reward));
}

/** True for a class without a cause, whose trials form one finding. */
function isSeparate(failureClass: FailureClass): boolean {
  return failureClass === "unexplained" || failureClass === "no_evidence";
}

/** Groups failures by class and cluster, each into one finding. */
export function listFindings(
  failures: readonly Failure[],
  attempts: Attempts,
  headOf: ReadonlyMap<string, string>,
  judgmentOf: JudgmentOf,
): readonly Finding[] {
  const nameHead = ({ clusterKey }: Failure) => headOf.get(clusterKey) ?? clusterKey;
  const groups = Map.groupBy(failures, (failure) =>
    isSeparate(failure.failureClass) ? failure.failureClass : `${failure.failureClass} ${nameHead(failure)}`,
  );
  return [...groups].flatMap(([key, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const { failureClass } = first;
    const { byAgent, ...about } = describeFailures(own);
    const reviews = countReviews(own, judgmentOf);
    return {
      key,
      ...about,
      kind: "alike" as const,
      failureClass,
      clusterKey: isSeparate(failureClass) ? null : nameHead(first),
      byAgent,
      only: findOnly(own, byAgent, attempts),
      ...estimateWin(own, reviews, attempts),
      reviews,
    };
  });
}

function describeFailures(own: readonly Failure[]) {
  return {
    classes: rank(own, ({ failureClass }) => failureClass),
    rules: rank(
      own.filter(({ rule }) => rule !== ""),
      ({ rule }) => rule,
    ),
    failures: own,
    tasks: rank(own, ({ taskName }) => taskName),
    byAgent: sumBy(own, ({ agentModel }) => agentModel),
    oracle: null,
    strict: null,
  };
}

export function rankFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (a, b) =>
      readExpected(b) - readExpected(a) || b.failures.length - a.failures.length || compareText(a.key, b.key),
  );
}

function readExpected({ win }: Pick<Finding, "win">): number {
  return win.kind === "computed" ? win.expected : Number.NEGATIVE_INFINITY;
}

function rank<Name extends string>(
  failures: readonly Failure[],
  nameOf: (failure: Failure) => Name,
): readonly Name[] {
  const counts = [...sumBy(failures, nameOf)].toSorted(([a, n], [b, m]) => m - n || compareText(a, b));
  return counts.map(([name]) => name);
}

export function countReviews(failures: readonly Failure[], judgmentOf: JudgmentOf) {
  const said = sumBy(failures, judgmentOf);
  return { nPassed: said.get("pass") ?? 0, nFailed: said.get("fail") ?? 0, nOpen: said.get("open") ?? 0 };
}

/** Others must have had the chance to fail alike: at least as many attempts at its tasks as this agent. */
function findOnly(
  failures: readonly Failure[],
  byAgent: ReadonlyMap<string, number>,
  attempts: Attempts,
): string | null {
  const [only, ...more] = byAgent.keys();
  if (only === undefined || more.length > 0) return null;
  let nOwn = 0;
  let nOthers = 0;
  for (const task of new Set(failures.map((failure) => failure.task))) {
    const [own, all] = attempts.get({ agentModel: only, task });
    nOwn += own.n;
    nOthers += all.n - own.n;
  }
  return nOthers >= nOwn && nOthers > 0 ? only : null;
}

/**
 * Estimates the score without the failure. Uses the agent's other attempts at the task, else other agents' attempts, else the
 * agent's other trials. If reviewers passed most judged trials, uses their pass rate, since then there is no failure.
 */
function estimateWin(
  failures: readonly Failure[],
  { nPassed, nFailed }: Finding["reviews"],
  attempts: Attempts,
): Pick<Finding, "win" | "bases"> {
  // Unfinished trials are in no mean, and unexplained ones may have any cause.
  const counted = failures.filter(({ isFinished, failureClass }) => isFinished && !isSeparate(failureClass));
  const recorded = counted.reduce((sum, { lost }) => sum + 1 - lost, 0);
  const none = { nSame: 0, nOthers: 0, nElsewhere: 0, nReviewed: 0 };
  const nJudged = nPassed + nFailed;
  if (nJudged >= ENOUGH_JUDGMENTS && nPassed > nFailed) {
    const bases = [{ nTrials: counted.length, n: nJudged, reward: nPassed }];
    const win = attempts.computeWin(bases, recorded);
    return { win, bases: { ...none, nReviewed: counted.length } };
  }
  const { bases, nBy } = findBases(counted, attempts);
  const [nSame = 0, nOthers = 0, nElsewhere = 0] = nBy;
  const nKnown = nSame + nOthers + nElsewhere;
  // With trials that have no basis, the win of the others would be too small.
  const win = attempts.computeWin(nKnown === counted.length ? bases : [], recorded);
  return { win, bases: { ...none, nSame, nOthers, nElsewhere } };
}

/** Finds attempts without the failure to compare each trial with, and counts trials by kind of basis. */
function findBases(
  failures: readonly Failure[],
  attempts: Attempts,
): { readonly bases: readonly WinBasis[]; readonly nBy: readonly number[] } {
  const taken = new Map<Sum, Sum>();
  for (const failure of failures)
    for (const all of attempts.get(failure)) {
      const own = taken.get(all) ?? makeSum();
      own.n += 1;
      own.reward = own.reward + 1 - failure.lost;
      taken.set(all, own);
    }
  const nTrialsOf = new Map<Sum, number>();
  const nBy = [0, 0, 0];
  for (const failure of failures) {
    const sums = attempts.get(failure);
    const at = sums.findIndex((all) => all.n > (taken.get(all)?.n ?? 0));
    const all = sums[at];
    if (all === undefined) continue;
    nBy[at] = (nBy[at] ?? 0) + 1;
    nTrialsOf.set(all, (nTrialsOf.get(all) ?? 0) + 1);
  }
  const bases = Array.from(nTrialsOf, ([all, nTrials]) => {
    const own = taken.get(all) ?? makeSum();
    const n = all.n - own.n;
    return { nTrials, n, reward: clamp(all.reward - own.reward, n) };
  });
  return { bases, nBy };
}

/** A fix would score as the same agents do at other tasks. Other attempts at the task are only its passes. */
export function listBrokenTasks(
  oracleTasks: readonly OracleTask[],
  failures: readonly Failure[],
  attempts: Attempts,
  judgmentOf: JudgmentOf,
): readonly Finding[] {
  const byTask = Map.groupBy(failures, ({ task }) => task);
  return oracleTasks.flatMap((oracle) => {
    const { tasks, version } = oracle;
    const own = [...tasks]
      .flatMap((task) => byTask.get(task) ?? [])
      .filter(({ taskDigest }) => taskDigest === null || version === null || taskDigest === version);
    if (own.length === 0) return [];
    const counted = own.filter(({ isFinished }) => isFinished);
    const bases = [...Map.groupBy(counted, ({ agentModel }) => agentModel)].map(([agentModel, some]) => ({
      nTrials: some.length,
      ...attempts.getElsewhere(agentModel, tasks),
    }));
    const recorded = counted.reduce((sum, { lost }) => sum + 1 - lost, 0);
    return {
      // A new version of the task is a new finding.
      ...describeTask(`broken ${oracle.dataset} ${oracle.taskName} ${version ?? ""}`, own),
      kind: "broken" as const,
      failureClass: "task_broken" as const,
      oracle,
      win: attempts.computeWin(bases, recorded),
      bases: { nSame: 0, nOthers: 0, nElsewhere: counted.length, nReviewed: 0 },
      reviews: countReviews(own, judgmentOf),
    };
  });
}

/**
 * Lists tasks whose verifier reviewers call too strict: they passed a failed trial, or said so. The finding has all trials of the
 * task with a class of such a trial. A fix would pass the share that reviewers did: of judged trials, or of all if most of enough
 * judgments agree.
 */
export function listStrictVerifiers(
  failures: readonly Failure[],
  attempts: Attempts,
  judgmentOf: JudgmentOf,
  isCalledStrict: (failure: Failure) => boolean,
): readonly Finding[] {
  const isSaid = (failure: Failure) => judgmentOf(failure) === "pass" || isCalledStrict(failure);
  const said = failures.filter(isSaid);
  const byTask = Map.groupBy(failures, ({ task }) => task);
  return [...Map.groupBy(said, ({ task }) => task)].map(([task, called]) => {
    const classes = new Set(called.map(({ failureClass }) => failureClass));
    const own = (byTask.get(task) ?? []).filter(({ failureClass }) => classes.has(failureClass));
    const judged = own.filter((failure) => isSaid(failure) || judgmentOf(failure) === "fail");
    const isOfAll = judged.length >= ENOUGH_JUDGMENTS && called.length * 2 > judged.length;
    const counted = (isOfAll ? own : judged).filter(({ isFinished }) => isFinished);
    const recorded = counted.reduce((sum, { lost }) => sum + 1 - lost, 0);
    const basis = { nTrials: counted.length, n: judged.length, reward: called.length };
    return {
      ...describeTask(`strict ${task}`, own),
      kind: "strict" as const,
      failureClass: "verifier" as const,
      strict: { nJudged: judged.length, nSaid: called.length },
      win: attempts.computeWin(counted.length === 0 ? [] : [basis], recorded),
      bases: { nSame: 0, nOthers: 0, nElsewhere: 0, nReviewed: counted.length },
      reviews: countReviews(own, judgmentOf),
    };
  });
}

function describeTask(key: string, own: readonly Failure[]) {
  return { key: boundName(key), ...describeFailures(own), clusterKey: null, only: null };
}
