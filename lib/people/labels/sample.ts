import type { LabelledScore } from "@/lib/core/comparison/labelled-score";
import { oncePer } from "@/lib/core/domain/once-per";
import { readVerdict } from "@/lib/core/domain/review";
import { sumBy } from "@/lib/core/domain/sum-by";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import { formatMargin, formatPlural, formatReward } from "@/lib/core/format/number";
import {
  type VerifierLabel,
  computeMargin,
  type CorrectedScore,
  correctByStratum,
  countConfusion,
  countMissingLabels,
  type StratifiedCorrection,
} from "@/lib/core/stats";

import {
  type Draw,
  type DrawProblem,
  type Draws,
  findPart,
  type Member,
  nameMember,
  type PartKind,
  type Population,
  type ScopeTrial,
  countAgents,
} from "./draws";

/**
 * Review state of a drawn trial. `todo`: no judgment; `waiting`: a second review is missing; `stale`: the trial changed, so the
 * judgment must be confirmed.
 */
export type Standing = "passed" | "failed" | "deferred" | "conflict" | "waiting" | "stale" | "todo";

export interface DrawnTrial {
  readonly member: Member;
  readonly standing: Standing;
  readonly isDecided: boolean;
}

export interface LabelSample {
  readonly members: Population;
  /** The members and the trials that their list omits by outcome; `members` if it omits none. */
  readonly whole: Population;
  /** Draws that cover all members, so that each is a simple random draw within agent and verdict. */
  readonly draws: readonly Draw[];
  readonly drawn: ReadonlyMap<string, DrawnTrial>;
}

interface LabelFilter {
  readonly agents: readonly string[];
  readonly families: readonly string[];
  readonly jobs: readonly string[];
}

/** @param jobs - row ids; null for all */
export function narrow(
  population: Population,
  { agents, families }: Pick<LabelFilter, "agents" | "families">,
  jobs: ReadonlySet<number> | null,
): Population {
  if (agents.length + families.length === 0 && jobs === null) return population;
  return new Map(
    [...population].filter(
      ([, { agent, model, family, jobRowId }]) =>
        (agents.length === 0 || agents.includes(writeAgent(agent, model))) &&
        (families.length === 0 || families.includes(family)) &&
        (jobs === null || jobs.has(jobRowId)),
    ),
  );
}

export function writeAgent(agent: string, model: string | null): string {
  return model === null ? agent : `${agent} ${model}`;
}

/**
 * Combines the draws that cover all of `members`. Within agent and verdict each is a simple random draw without replacement, and
 * so is their union. A trial drawn twice counts once.
 */
export function collectSample(members: Population, draws: readonly Draw[], whole: Population = members) {
  // Draws from one list share its population.
  const lists = listCounted(draws).filter((list) => covers(list, members));
  const covering = draws.filter(
    ({ population, problem }) => problem === null && population !== null && lists.includes(population),
  );
  const drawn = new Map<string, DrawnTrial>();
  for (const trial of covering.flatMap(({ trials }) => trials)) {
    const name = trial.place === null ? "" : nameMember(trial.place);
    const member = members.get(name);
    if (member === undefined) continue;
    const next = { member, standing: readStanding(trial), isDecided: trial.state === "adjudicated" };
    const known = drawn.get(name);
    drawn.set(name, known === undefined ? next : combine(known, next));
  }
  return { members, whole, draws: covering, drawn };
}

/** Lists the populations of draws that count, each once. */
export function listCounted(draws: readonly Draw[]): readonly Population[] {
  const counted = draws.flatMap(({ population, problem }) => (problem === null ? (population ?? []) : []));
  return [...new Set(counted)];
}

function covers(list: Population, members: Population): boolean {
  return list === members || [...members.keys()].every((name) => list.has(name));
}

function readStanding({ state, final, labels }: ScopeTrial): Standing {
  if (labels.some(({ isStale }) => isStale)) return "stale";
  if (state === "todo" || state === "waiting") return state;
  if (final === null) return "conflict";
  return final === "pass" ? "passed" : final === "fail" ? "failed" : "deferred";
}

const OPEN: ReadonlySet<Standing> = new Set<Standing>(["todo", "waiting", "stale"]);

function combine(a: DrawnTrial, b: DrawnTrial): DrawnTrial {
  if (a.standing === b.standing) return a;
  if (OPEN.has(a.standing)) return b.standing === "todo" ? a : b;
  return OPEN.has(b.standing) ? a : { ...a, standing: "conflict" };
}

/**
 * Chooses the eligible draw whose narrowed list has the most labels over all draws that cover it. Prefers lists that omit nothing
 * by outcome. Null if there are no labels.
 */
export function chooseSample(
  eligible: readonly Draw[],
  draws: readonly Draw[],
  narrowList: (population: Population) => Population,
): { readonly draw: Draw; readonly sample: LabelSample } | null {
  const lists = new Map<Population, Draw>();
  for (const draw of eligible)
    if (draw.problem === null && draw.population !== null && !lists.has(draw.population))
      lists.set(draw.population, draw);
  const found = [...lists].flatMap(([population, draw]) => {
    const members = narrowList(population);
    const whole = draw.whole === population ? members : narrowList(draw.whole ?? population);
    return members.size === 0 ? [] : [{ draw, sample: collectSample(members, draws, whole) }];
  });
  const [first, ...others] = found;
  if (first === undefined) return null;
  return others.reduce((best, one) => (isMore(one.sample, best.sample) ? one : best), first);
}

function isMore(a: LabelSample, b: LabelSample): boolean {
  const [isWholeA, isWholeB] = [a, b].map(({ members, whole }) => findPart(members, whole) === null);
  if (isWholeA !== isWholeB) return isWholeA === true;
  const [nA, nB] = [listLabels(a).length, listLabels(b).length];
  return nA === nB ? a.members.size > b.members.size : nA > nB;
}

export interface SampleLabel extends VerifierLabel {
  readonly human: boolean;
  readonly stratum: string;
  readonly member: Member;
}

export function listLabels({ drawn }: LabelSample): readonly SampleLabel[] {
  return [...drawn.values()].flatMap(({ member, standing }): readonly SampleLabel[] => {
    if (standing !== "passed" && standing !== "failed") return [];
    return [{ verifier: member.hasPassed, human: standing === "passed", stratum: member.agentModel, member }];
  });
}

/** Null if the labels count. @param draw - null for a queue not drawn at random */
export function findDrawReason(
  draw: Pick<Draw, "problem" | "part"> | null,
): "by-hand" | PartKind | DrawProblem | null {
  if (draw === null) return "by-hand";
  return draw.problem ?? draw.part?.kind ?? null;
}

export type LeftOut = ReturnType<typeof countLeftOut>;

/** Counts judged trials that match the filter and are no label of `sample`, by reason. */
export function countLeftOut({ draws, judged }: Draws, sample: LabelSample | null, filter: LabelFilter) {
  // The newest of several draws of a trial gives the reason.
  const drawOf = new Map(
    draws.toReversed().flatMap((draw) => draw.trials.map((trial) => [nameTrial(trial), draw] as const)),
  );
  const asked = judged.filter((trial) => isAsked(trial, filter));
  const reasons = asked.map(
    (trial) => [trial, findReason(trial, sample, drawOf.get(nameTrial(trial)))] as const,
  );
  const counts = sumBy(
    reasons.flatMap(([, reason]): readonly LeftOutReason[] => (reason === null ? [] : [reason])),
    (reason) => reason,
  );
  const byHand = reasons.flatMap(([{ place, final }, reason]): VerifierLabel[] => {
    const verifier = place === null ? null : readVerdict(place.outcome);
    return reason === "by-hand" && verifier !== null ? [{ verifier, human: final === "pass" }] : [];
  });
  return { counts, byHand };
}

function nameTrial({ place }: ScopeTrial): string {
  return place === null ? "" : nameMember(place);
}

function isAsked({ place, subject }: ScopeTrial, { agents, families, jobs }: LabelFilter): boolean {
  return (
    (agents.length === 0 || agents.includes(writeAgent(subject.agent, subject.model))) &&
    (families.length === 0 || families.includes(findTaskFamily(subject.taskName))) &&
    (jobs.length === 0 || (place !== null && jobs.includes(place.jobKey)))
  );
}

function findReason(
  trial: ScopeTrial,
  sample: LabelSample | null,
  draw: Draw | undefined,
): LeftOutReason | null {
  if (trial.place === null) return "lost";
  if (readVerdict(trial.place.outcome) === null) return "no-verdict";
  const drawn = sample?.drawn.get(nameTrial(trial))?.standing ?? "todo";
  if (drawn === "passed" || drawn === "failed") return null;
  const standing = drawn === "todo" ? readStanding(trial) : drawn;
  const open = LEFT_OUT_REASONS.find((reason) => reason === standing);
  if (open !== undefined) return open;
  // In a draw that counts, the trial was not reviewed for its queue.
  const isOutside = draw !== undefined && sample?.draws.includes(draw) !== true;
  return isOutside ? (findDrawReason(draw) ?? "other-draw") : "by-hand";
}

export function describeMargin(score: Pick<CorrectedScore, "corrected" | "low" | "high">, decimals = 3) {
  const margin = computeMargin({ ...score, value: score.corrected }, decimals);
  return formatMargin(margin, score, (value) => formatReward(value, decimals));
}

/** `by-hand`: not drawn at random. `other-draw`: drawn from a part of these trials. */
export const DRAWN_WORDS = {
  "by-hand": "not randomly sampled",
  "only-not-passed": "sampled only from trials that did not pass",
  "only-passed": "sampled only from trials that passed",
  "by-result": "sampled from trials chosen by their result",
  "other-draw": "sampled from a part of these trials",
  "unknown-list": "sampled from a list that is not open",
  "changed-list": "sampled from other trials than the list has now",
  "list-order": "sampled in the order of their list, and not all are judged",
  "unreadable-trials": "sampled together with unreadable trials",
} as const satisfies Readonly<Record<"by-hand" | "other-draw" | PartKind | DrawProblem, string>>;

type DrawReason = keyof typeof DRAWN_WORDS;

/** `waiting`: one of two reviews is missing. `no-verdict`: the verifier neither passed nor failed it. */
const REASON_WORDS = {
  deferred: ["trial was deferred", "trials were deferred"],
  conflict: ["trial is in conflict", "trials are in conflict"],
  waiting: ["trial awaits another review", "trials await another review"],
  stale: ["label is for a trial that changed since", "labels are for trials that changed since"],
  "no-verdict": ["trial has no verifier verdict", "trials have no verifier verdict"],
  lost: ["trial is not in any open folder", "trials are not in any open folder"],
} as const;

export type LeftOutReason = DrawReason | keyof typeof REASON_WORDS;

const LEFT_OUT_REASONS = Object.keys({ ...DRAWN_WORDS, ...REASON_WORDS }) as readonly LeftOutReason[]; // Keys of both.

function isOfDraw(reason: LeftOutReason): reason is DrawReason {
  return reason in DRAWN_WORDS;
}

export function describeDrawReason(reason: DrawReason): string {
  return `Its trials were ${DRAWN_WORDS[reason]}, so they correct no score.`;
}

export function describeDrawOutlook(reason: "by-hand" | PartKind): string {
  const advice =
    reason === "by-hand" ? "Choose a random sample" : "Sample from the list without result filters";
  return `They are ${DRAWN_WORDS[reason]}, so they correct no score. ${advice}, or choose another goal.`;
}

export function listLeftOut(counts: LeftOut["counts"]): readonly string[] {
  return LEFT_OUT_REASONS.map((reason) => ({ reason, n: counts.get(reason) ?? 0 }))
    .filter(({ n }) => n > 0)
    .toSorted((a, b) => b.n - a.n)
    .map(({ reason, n }) => {
      if (isOfDraw(reason)) {
        const words = DRAWN_WORDS[reason];
        return formatPlural(n, `label was ${words}`, `labels were ${words}`);
      }
      const [one, several] = REASON_WORDS[reason];
      return formatPlural(n, one, several);
    });
}

/** For runs that are counted together but mix agents and models, or share rollouts. */
export const SEVERAL_AGENTS: LabelledScore = {
  kind: "left-out",
  nLabels: 0,
  reasons: ["its runs have several agents or share rollouts"],
};

const SHORT_DECIMALS = 2;

/**
 * Computes the corrected score of groups of one agent and model from all draws that cover them. Null if none of their trials is
 * labelled. Callers must leave out groups that share rollouts.
 */
export function correctByLabels(
  draws: Draws,
  groups: readonly { readonly jobRowId: number; readonly key: string; readonly nWithVerdict: number }[],
): LabelledScore | null {
  const names = new Set(groups.map(({ jobRowId, key }) => nameGroup(jobRowId, key)));
  const nWithVerdict = groups.reduce((sum, group) => sum + group.nWithVerdict, 0);
  for (const population of listCounted(draws.draws)) {
    const byGroup = listGroups(population);
    const members = [...names].flatMap((name) => byGroup.get(name) ?? []);
    // A list that omits some of the trials cannot correct their score.
    if (members.length === 0 || members.length !== nWithVerdict) continue;
    const sample = collectSample(new Map(members.map((one) => [nameMember(one), one])), draws.draws);
    const labels = listLabels(sample);
    const score = labels.length === 0 ? null : correctGroup(sample);
    if (score === null) continue;
    const nLabels = labels.length;
    if (score.kind === "computed") {
      const { observed, corrected, low, high, nTrials } = score;
      const margin = describeMargin(score, SHORT_DECIMALS);
      return { kind: "computed", nLabels, observed, corrected, low, high, margin, nTrials };
    }
    const [verdicts] = countAgents(members);
    if (verdicts === undefined) continue;
    const { nThere, nNeeded } = countMissingLabels(verdicts, countConfusion(labels));
    return { kind: "too-few", nLabels, nThere, nNeeded };
  }
  const judged = draws.judged.filter(
    ({ place, final }) =>
      place !== null &&
      names.has(nameGroup(place.jobRowId, place.groupKey)) &&
      (final === "pass" || final === "fail") &&
      readVerdict(place.outcome) !== null,
  );
  if (judged.length === 0) return null;
  const { counts } = countLeftOut({ ...draws, judged }, null, { jobs: [], agents: [], families: [] });
  return { kind: "left-out", nLabels: judged.length, reasons: listLeftOut(counts) };
}

/** Null for trials of several agents, and for unlabelled ones. */
function correctGroup(sample: LabelSample): StratifiedCorrection["all"] | null {
  const counts = countAgents(sample.members.values());
  const [count, ...others] = counts;
  if (count === undefined || others.length > 0) return null;
  const { agentModel: agent, nPassed, nFailed } = count;
  const labels = countConfusion(listLabels(sample));
  const { agents } = correctByStratum([{ agent, nPassed, nFailed, labels }], { isAcrossAgents: false });
  return agents[0]?.score ?? null;
}

const listGroups = oncePer((population: Population) => {
  const places = [...population.values()].flatMap((member) =>
    member.groups.map((key) => ({ name: nameGroup(member.jobRowId, key), member })),
  );
  const groups = Map.groupBy(places, ({ name }) => name);
  return new Map(Array.from(groups, ([name, own]) => [name, own.map(({ member }) => member)]));
});

function nameGroup(jobRowId: number, key: string): string {
  return `${jobRowId} ${key}`;
}
