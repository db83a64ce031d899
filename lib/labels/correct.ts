import { readVerdict } from "@/lib/domain/review";
import { formatCount } from "@/lib/format/number";
import { correctByStratum, countConfusion, countMissingLabels, type StratifiedCorrection } from "@/lib/stats";

import type { Draws } from "./draws";
import { countAgents, type Member, nameMember, type Population } from "./members";
import { collectSample, countLeftOut, type LabelSample, listLabels } from "./sample";
import { describeMargin, listLeftOut } from "./words";

/** A score as humans would have it, or why the labels of its trials do not give one. */
export type LabelledScore = {
  readonly nLabels: number;
} & (
  | {
      readonly kind: "computed";
      /** Pass rate by the verifier, over the trials with a verdict. */
      readonly observed: number;
      readonly corrected: number;
      readonly low: number;
      readonly high: number;
      /** The interval behind the score, see `describeMargin`. */
      readonly margin: string;
      readonly nTrials: number;
    }
  | { readonly kind: "too-few"; readonly nThere: number; readonly nNeeded: number }
  /** Why the labels there are correct no score, those of most labels first. */
  | { readonly kind: "left-out"; readonly reasons: readonly string[] }
);

/** Of what is counted together and is not of one agent and model, or shares rollouts. */
export const SEVERAL_AGENTS: LabelledScore = {
  kind: "left-out",
  nLabels: 0,
  reasons: ["its runs are of several agents or share rollouts"],
};

/** Digits of a score with its interval beside it. */
const SHORT_DECIMALS = 2;

/** A group of a job, or the part of one with the same settings. */
export interface LabelledGroup {
  readonly jobRowId: number;
  readonly key: string;
  /** Trials that the verifier passed or failed. */
  readonly nWithVerdict: number;
}

/**
 * The score of groups of one agent and model, counted together, by all draws that cover them; null where nobody labelled a trial
 * of theirs. Of groups that share rollouts there is none: whoever asks leaves them out.
 */
export function correctByLabels(draws: Draws, groups: readonly LabelledGroup[]): LabelledScore | null {
  const names = new Set(groups.map(({ jobRowId, key }) => nameGroup(jobRowId, key)));
  const nWithVerdict = groups.reduce((sum, group) => sum + group.nWithVerdict, 0);
  const populations = new Set(
    draws.draws.flatMap(({ population, problem }) =>
      problem === null && population !== null ? population : [],
    ),
  );
  for (const population of populations) {
    const byGroup = listGroups(population);
    const members = [...names].flatMap((name) => byGroup.get(name) ?? []);
    // A list that leaves some of the trials out says nothing of them.
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

/** Of trials that are not one agent's there is none, nor of those that nobody labelled. */
function correctGroup(sample: LabelSample): StratifiedCorrection["all"] | null {
  const counts = countAgents(sample.members.values());
  const [count, ...others] = counts;
  if (count === undefined || others.length > 0) return null;
  const { agentModel: agent, nPassed, nFailed } = count;
  const labels = countConfusion(listLabels(sample));
  const { agents } = correctByStratum([{ agent, nPassed, nFailed, labels }], { isAcrossAgents: false });
  return agents[0]?.score ?? null;
}

/** Why there is no corrected score, in words that follow a colon. @param score - null where nobody labelled a trial */
export function describeRefused(score: Exclude<LabelledScore, { kind: "computed" }> | null): string {
  if (score === null) return "nobody labelled its trials";
  return score.kind === "too-few"
    ? `${formatCount(score.nThere)} of ${formatCount(score.nNeeded)} labels needed`
    : score.reasons.join("; ");
}

/** Members by group, found once of each population. */
const groupsOf = new WeakMap<Population, ReadonlyMap<string, readonly Member[]>>();

function listGroups(population: Population): ReadonlyMap<string, readonly Member[]> {
  const known = groupsOf.get(population);
  if (known !== undefined) return known;
  const groups = new Map<string, Member[]>();
  for (const member of population.values())
    for (const key of member.groups) {
      const name = nameGroup(member.jobRowId, key);
      const own = groups.get(name);
      if (own === undefined) groups.set(name, [member]);
      else own.push(member);
    }
  groupsOf.set(population, groups);
  return groups;
}

function nameGroup(jobRowId: number, key: string): string {
  return `${jobRowId} ${key}`;
}
