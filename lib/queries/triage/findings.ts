import "server-only";

import { compareText } from "@/lib/domain/compare-text";
import { createGroupMaker } from "@/lib/domain/group-maker";
import { sumBy } from "@/lib/domain/sum-by";
import { computeExpectedWin, type ExpectedWin, type Unavailable, type WinBasis } from "@/lib/stats";
import type { FailureClass } from "@/lib/triage/classes";

import type { Cell } from "./cell-sums";
import type { Failure } from "./parts";
import type { OracleTask } from "./oracle-tasks";

export interface FindingReviews {
  readonly nPassed: number;
  readonly nFailed: number;
  readonly nOpen: number;
}

/** By what the reward without the failure was estimated, in trials. */
export interface WinBases {
  /** Other attempts of the same agent at the task. */
  readonly nSame: number;
  /** Attempts of other agents at the task. */
  readonly nOthers: number;
  /** The agent's other trials. */
  readonly nElsewhere: number;
  /** Reviewers, who passed most of those that they judged. */
  readonly nReviewed: number;
}

/** What reviewers said of a failure; null where nobody judged it. */
export type JudgmentOf = (failure: Failure) => "pass" | "fail" | "open" | null;

/**
 * Failures that one fix may mend. `alike`: of one class that look alike; every failure is in exactly one of these. `broken`: of
 * a task that the oracle fails too. `strict`: of a task whose verifier reviewers call too strict.
 */
export interface Finding {
  /** Names it in addresses and dismissals; the same in every run. */
  readonly key: string;
  readonly kind: "alike" | "broken" | "strict";
  /** What a fix must mend. */
  readonly failureClass: FailureClass;
  /** The classes of its failures: all that its tasks or its cluster have of these are in it. */
  readonly classes: readonly FailureClass[];
  /** What the oracle did; of a broken task alone. */
  readonly oracle: OracleTask | null;
  /** Failures that were judged, and those that reviewers passed or call too strictly verified; of a strict verifier alone. */
  readonly strict: { readonly nJudged: number; readonly nSaid: number } | null;
  /** Rules that found them, the commonest first; empty where none did. */
  readonly rules: readonly string[];
  /** Key of its cluster; null where they are of many. */
  readonly clusterKey: string | null;
  readonly failures: readonly Failure[];
  /** Names of their tasks, most failures first. */
  readonly tasks: readonly string[];
  /** Trials by agent and model. */
  readonly byAgent: ReadonlyMap<string, number>;
  /** The one agent and model that has it, though others tried the same tasks at least as often; null else. */
  readonly only: string | null;
  /** In parts of the mean reward of one dataset; `several-datasets` without one mean, `no-values` if no result counts. */
  readonly win: ExpectedWin | Unavailable;
  readonly bases: WinBases;
  readonly reviews: FindingReviews;
}

/** Fewer judgments than these say nothing of the other trials. */
export const ENOUGH_JUDGMENTS = 3;

interface Sum {
  n: number;
  reward: number;
}

function makeSum(): Sum {
  return { n: 0, reward: 0 };
}

/** Attempts by agent and task, by task and by agent, of which those of a finding are taken off. */
class Attempts {
  private readonly ofTask = new Map<string, Sum>();
  /** By agent, then by task. */
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

  /** Returns {@link computeExpectedWin} of the mean of all attempts, which only attempts at one dataset have. */
  computeWin(bases: readonly WinBasis[], recorded: number): ExpectedWin | Unavailable {
    if (this.nDatasets > 1) return { kind: "unavailable", reason: "several-datasets" };
    return computeExpectedWin(bases, recorded, this.nTrials);
  }

  /** What is counted apart: the agent at the task, everybody at the task, the agent anywhere. The same objects at each call. */
  get({ agentModel, task }: Pick<Cell, "agentModel" | "task">): readonly [Sum, Sum, Sum] {
    let agent = this.ofAgent.get(agentModel);
    if (agent === undefined) this.ofAgent.set(agentModel, (agent = { all: makeSum(), at: new Map() }));
    let cell = agent.at.get(task);
    if (cell === undefined) agent.at.set(task, (cell = makeSum()));
    let all = this.ofTask.get(task);
    if (all === undefined) this.ofTask.set(task, (all = makeSum()));
    return [cell, all, agent.all];
  }

  /** An agent's attempts at all tasks but some. */
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

const counted = new WeakMap<readonly Cell[], Attempts>();

/** The attempts of some cells, which many filters share. */
export function sumAttempts(cells: readonly Cell[]): Attempts {
  const attempts = counted.get(cells) ?? new Attempts(cells);
  counted.set(cells, attempts);
  return attempts;
}

/** Sums of shares may miss 0 by their last bits. */
function clamp(reward: number, n: number): number {
  return Math.min(n, Math.max(0, reward));
}

/** True for a class without a cause, whose trials are one finding whatever they show. */
function isSeparate(failureClass: FailureClass): boolean {
  return failureClass === "unexplained" || failureClass === "no_evidence";
}

/**
 * What makes findings of some of the failures of a scope by class and cluster, each failure in exactly one; a finding that a filter
 * leaves whole is made once.
 */
export function createFindingLister(
  all: readonly Failure[],
  cells: readonly Cell[],
  headOf: ReadonlyMap<string, string>,
  judgmentOf: JudgmentOf,
): (failures: readonly Failure[]) => readonly Finding[] {
  const attempts = sumAttempts(cells);
  // One text for equal names, which are slow to make and to compare.
  const names = new Map<string, Map<string, string>>();
  const nameFinding = ({ failureClass, clusterKey }: Failure) => {
    if (isSeparate(failureClass)) return failureClass;
    let own = names.get(failureClass);
    if (own === undefined) names.set(failureClass, (own = new Map<string, string>()));
    const name = own.get(clusterKey) ?? `${failureClass} ${headOf.get(clusterKey) ?? clusterKey}`;
    own.set(clusterKey, name);
    return name;
  };
  const make = (own: readonly Failure[], key: string): Finding => {
    const [first] = own;
    if (first === undefined) throw new Error("A finding has no failure.");
    const reviews = countReviews(own, judgmentOf);
    const byAgent = sumBy(own, ({ agentModel }) => agentModel);
    return {
      key,
      kind: "alike",
      failureClass: first.failureClass,
      classes: [first.failureClass],
      oracle: null,
      strict: null,
      rules: rank(
        own.filter(({ rule }) => rule !== ""),
        ({ rule }) => rule,
      ),
      clusterKey: isSeparate(first.failureClass) ? null : (headOf.get(first.clusterKey) ?? first.clusterKey),
      failures: own,
      tasks: rank(own, ({ taskName }) => taskName),
      byAgent,
      only: findOnly(own, byAgent, attempts),
      ...estimateWin(own, reviews, attempts),
      reviews,
    };
  };
  const makeFindings = createGroupMaker(all, nameFinding, make);
  return (failures) => [...makeFindings(failures).values()];
}

/** What a fix would win most first; those of which that is not known last, by their number. */
export function rankFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (a, b) =>
      readExpected(b) - readExpected(a) || b.failures.length - a.failures.length || compareText(a.key, b.key),
  );
}

function readExpected({ win }: Pick<Finding, "win">): number {
  return win.kind === "computed" ? win.expected : Number.NEGATIVE_INFINITY;
}

/** Names that failures have, the commonest first. */
export function rank<Name extends string>(
  failures: readonly Failure[],
  nameOf: (failure: Failure) => Name,
): readonly Name[] {
  const counts = [...sumBy(failures, nameOf)].toSorted(([a, n], [b, m]) => m - n || compareText(a, b));
  return counts.map(([name]) => name);
}

export function countReviews(failures: readonly Failure[], judgmentOf: JudgmentOf): FindingReviews {
  const said = sumBy(failures, judgmentOf);
  return { nPassed: said.get("pass") ?? 0, nFailed: said.get("fail") ?? 0, nOpen: said.get("open") ?? 0 };
}

/** Others must have had the chance to fail alike: as many attempts at its tasks as the one that did. */
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
 * What the trials would have scored without the failure: as the agent's other attempts at the task did, where it has none as
 * other agents' did, and where nobody has any as the agent's other trials. Where reviewers passed most of those they judged, as
 * often as they did: then the failure is none.
 */
function estimateWin(
  failures: readonly Failure[],
  { nPassed, nFailed }: FindingReviews,
  attempts: Attempts,
): Pick<Finding, "win" | "bases"> {
  // What did not end is in no mean, and what nothing explains may be anything.
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
  // Of trials that nothing can be compared with, a win of the others would be too small.
  const win = attempts.computeWin(nKnown === counted.length ? bases : [], recorded);
  return { win, bases: { ...none, nSame, nOthers, nElsewhere } };
}

/** Attempts without the failure that each trial with it is compared with, and for how many trials each kind of them was found. */
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
