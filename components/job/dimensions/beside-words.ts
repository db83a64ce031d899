import { formatCount, formatDifference, formatPlural } from "@/lib/core/format/number";
import type { BesideAgent } from "@/lib/pages/job/beside-sides";
import type { BesideRow, DimensionsBeside } from "@/lib/pages/job/dimensions-beside";

import { joinNames } from "./overview-words";

export function describeBeside({ rows, singleCounts, reward, here, other, isLater }: DimensionsBeside): {
  readonly head: string;
  readonly rest: string;
} {
  const when = isLater === null ? "" : isLater ? ", which ran before" : ", which ran after";
  const [worst] = rows;
  const lower = namesOf(rows, "second-better");
  const higher = namesOf(rows, "first-better");
  const head =
    lower.length > 0
      ? `${here.name} is lower than ${other.name}${when}: ${joinNames(lower)}.`
      : worst === undefined
        ? `${here.name} and ${other.name}${when} share no dimension of several tasks.`
        : `No dimension of several tasks is clearly lower in ${here.name} than in ${other.name}${when}.`;
  const nUnclear = rows.length - lower.length - higher.length;
  const sentences = [
    reward === null ? "" : `Reward: ${formatDifference(reward.comparison.difference, true)} points.`,
    higher.length === 0 ? "" : `Higher: ${joinNames(higher)}.`,
    nUnclear === 0 ? "" : `No clear difference in ${formatPlural(nUnclear, "dimension")}${nameDrop(worst)}.`,
    describeSingle(singleCounts),
  ];
  return { head, rest: sentences.filter((sentence) => sentence !== "").join(" ") };
}

function namesOf(rows: readonly BesideRow[], verdict: BesideRow["comparison"]["verdict"]): readonly string[] {
  return rows.filter(({ comparison }) => comparison.verdict === verdict).map(({ name }) => name);
}

function nameDrop(worst: BesideRow | undefined): string {
  if (worst === undefined || worst.comparison.verdict === "second-better") return "";
  const { difference } = worst.comparison;
  return difference < 0
    ? `; the largest drop, ${worst.name} by ${formatDifference(-difference, false)} points, could be chance`
    : "";
}

function describeSingle({ n, nLower, nHigher, worstTask }: DimensionsBeside["singleCounts"]): string {
  if (n === 0) return "";
  const where = worstTask === null ? "" : `, most of them in ${worstTask}`;
  return `Of ${formatPlural(n, "dimension")} of one task each, ${formatCount(nLower)} lower${where}; ${formatCount(nHigher)} higher.`;
}

export function describeAgents([here, there]: DimensionsBeside["agents"]): string {
  const names = (agents: readonly BesideAgent[]) =>
    joinNames(agents.map(({ agent, model }) => (model === null ? agent : `${agent} ${model}`)));
  const [own, other] = [names(here), names(there)];
  if (own === "" || other === "") return "One group has no finished trials.";
  return own === other ? `Trials of ${own}.` : `Trials of ${own} against those of ${other}.`;
}
