import type { LabelledScore } from "@/lib/core/comparison/labelled-score";
import { oncePer } from "@/lib/core/domain/once-per";
import { readVerdict } from "@/lib/core/domain/review";
import {
  correctByStratum,
  countConfusion,
  countMissingLabels,
  type StratifiedCorrection,
} from "@/lib/core/stats";

import type { Draws } from "./draws";
import { countAgents, type Member, nameMember, type Population } from "./members";
import { collectSample, countLeftOut, type LabelSample, listLabels } from "./sample";
import { describeMargin, listLeftOut } from "./words";

/** For runs that are counted together but mix agents and models, or share rollouts. */
export const SEVERAL_AGENTS: LabelledScore = {
  kind: "left-out",
  nLabels: 0,
  reasons: ["its runs have several agents or share rollouts"],
};

const SHORT_DECIMALS = 2;

interface LabelledGroup {
  readonly jobRowId: number;
  readonly key: string;
  readonly nWithVerdict: number;
}

/**
 * Computes the corrected score of groups of one agent and model from all draws that cover them. Null if none of their trials is
 * labelled. Callers must leave out groups that share rollouts.
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
  const groups = new Map<string, Member[]>();
  for (const member of population.values())
    for (const key of member.groups) {
      const name = nameGroup(member.jobRowId, key);
      const own = groups.get(name);
      if (own === undefined) groups.set(name, [member]);
      else own.push(member);
    }
  return groups;
});

function nameGroup(jobRowId: number, key: string): string {
  return `${jobRowId} ${key}`;
}
