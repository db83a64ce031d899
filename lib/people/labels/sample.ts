import { readVerdict } from "@/lib/core/domain/review";
import { sumBy } from "@/lib/core/domain/sum-by";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import type { VerifierLabel } from "@/lib/core/stats";

import type { Draw, DrawProblem, Draws } from "./draws";
import { findPart, type Member, nameMember, type PartKind, type Population } from "./members";
import type { ScopeTrial } from "./scope-trials";

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
export function collectSample(
  members: Population,
  draws: readonly Draw[],
  whole: Population = members,
): LabelSample {
  // Draws from one list share its population.
  const lists = new Set(
    draws.flatMap(({ population, problem }) => (problem === null && population !== null ? population : [])),
  );
  const coveringLists = new Set([...lists].filter((list) => covers(list, members)));
  const covering = draws.filter(
    ({ population, problem }) => problem === null && population !== null && coveringLists.has(population),
  );
  const drawn = new Map<string, DrawnTrial>();
  for (const trial of covering.flatMap(({ trials }) => trials)) {
    const member = trial.place === null ? undefined : members.get(nameMember(trial.place));
    if (member === undefined) continue;
    const name = nameMember(member);
    const next: DrawnTrial = {
      member,
      standing: readStanding(trial),
      isDecided: trial.state === "adjudicated",
    };
    const known = drawn.get(name);
    drawn.set(name, known === undefined ? next : combine(known, next));
  }
  return { members, whole, draws: covering, drawn };
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

export const LEFT_OUT_REASONS = [
  "by-hand",
  "only-not-passed",
  "only-passed",
  "by-result",
  "other-draw",
  "unknown-list",
  "changed-list",
  "list-order",
  "unreadable-trials",
  "deferred",
  "conflict",
  "waiting",
  "stale",
  "no-verdict",
  "lost",
] as const;

/**
 * `by-hand`: not drawn at random. `other-draw`: drawn from a part of these trials. Three are those of {@link PartKind}, four those
 * of {@link DrawProblem}. `waiting`: one of two reviews is missing. `stale`: changed since. `no-verdict`: the verifier neither
 * passed nor failed it. `lost`: in no open folder.
 */
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** Null if the labels count. @param draw - null for a queue not drawn at random */
export function findDrawReason(
  draw: Pick<Draw, "problem" | "part"> | null,
): "by-hand" | PartKind | DrawProblem | null {
  if (draw === null) return "by-hand";
  return draw.problem ?? draw.part?.kind ?? null;
}

export interface LeftOut {
  readonly counts: ReadonlyMap<LeftOutReason, number>;
  readonly byHand: readonly VerifierLabel[];
}

/** Counts judged trials that match the filter and are no label of `sample`, by reason. */
export function countLeftOut(
  { draws, judged }: Draws,
  sample: LabelSample | null,
  filter: LabelFilter,
): LeftOut {
  // The newest of several draws of a trial gives the reason.
  const drawOf = new Map(
    draws.toReversed().flatMap((draw) => draw.trials.map((trial) => [nameTrial(trial), draw] as const)),
  );
  const asked = judged.filter((trial) => isAsked(trial, filter));
  const reasons = asked.map(
    (trial) => [trial, findReason(trial, sample, drawOf.get(nameTrial(trial)))] as const,
  );
  const counts = sumBy(
    reasons.flatMap(([, reason]) => reason ?? []),
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

const OPEN_REASONS: Partial<Record<Standing, LeftOutReason>> = {
  deferred: "deferred",
  conflict: "conflict",
  waiting: "waiting",
  stale: "stale",
};

function findReason(
  trial: ScopeTrial,
  sample: LabelSample | null,
  draw: Draw | undefined,
): LeftOutReason | null {
  if (trial.place === null) return "lost";
  if (readVerdict(trial.place.outcome) === null) return "no-verdict";
  const drawn = sample?.drawn.get(nameTrial(trial))?.standing ?? "todo";
  if (drawn === "passed" || drawn === "failed") return null;
  const open = OPEN_REASONS[drawn === "todo" ? readStanding(trial) : drawn];
  if (open !== undefined) return open;
  // In a draw that counts, the trial was not reviewed for its queue.
  const isOutside = draw !== undefined && sample?.draws.includes(draw) !== true;
  return isOutside ? (findDrawReason(draw) ?? "other-draw") : "by-hand";
}
