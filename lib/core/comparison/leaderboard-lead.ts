import { formatCount, formatPlural, formatReward } from "@/lib/core/format/number";

import { type Leaderboard, type LeaderboardRow, readScore } from "./leaderboard";

interface Lead {
  readonly headline: string;
  readonly sentences: readonly string[];
}

const MOST_NAMES = 4;

/**
 * Describes the leader and the groups clearly behind, by comparisons with the best (`computeRankSets`). A group that may have rank
 * 1 is not behind; any other is clearly worse than at least one group. Scores alone decide nothing.
 */
export function describeLead({ rows, nRanked, nFirst, nPairs }: Leaderboard): Lead {
  const ranked = rows.filter(({ rank }) => rank !== null);
  const [best] = ranked;
  if (best === undefined) return { headline: "No group has a rank.", sentences: [] };
  if (nRanked === 1) return { headline: `Only ${best.label} has a rank.`, sentences: [] };
  const [leader, ...others] = ranked.filter(({ rank }) => rank?.low === 1);
  const isAlone = leader !== undefined && others.length === 0;
  const leaders = isAlone ? [leader] : ranked.filter((row) => readScore(row) === readScore(best));
  const behind = ranked.filter(({ rank }) => rank?.low !== 1);
  const nAll = (nRanked * (nRanked - 1)) / 2;
  return {
    headline: isAlone ? describeLeader(leader, behind) : describeNone(leaders, { nFirst, nRanked }),
    sentences: [
      ...(behind.length === 0 || isAlone ? [] : [`Clearly behind: ${listNames(behind)}.`]),
      ...(nPairs === nAll
        ? []
        : [`Only ${formatCount(nPairs)} of ${formatCount(nAll)} pairs could be compared.`]),
      ...describeMarked(leaders),
    ],
  };
}

function describeLeader(leader: LeaderboardRow, behind: readonly LeaderboardRow[]): string {
  const nOpen = (leader.rank?.high ?? 1) - 1;
  if (nOpen > 0)
    return `${leader.label} leads: no other group can be first, though ${formatPlural(nOpen, "group is", "groups are")} not clearly worse.`;
  const others =
    behind.length > MOST_NAMES ? `each of the ${formatCount(behind.length)} others` : listNames(behind);
  return `${leader.label} leads, clearly ahead of ${others}.`;
}

function describeNone(
  best: readonly LeaderboardRow[],
  { nFirst, nRanked }: Pick<Leaderboard, "nFirst" | "nRanked">,
): string {
  const first =
    nFirst < nRanked
      ? `${formatCount(nFirst)} of ${formatCount(nRanked)} groups`
      : nRanked === 2
        ? "either group"
        : `any of the ${formatCount(nRanked)} groups`;
  if (nFirst === 0)
    return `The data do not say who leads: each of the ${formatCount(nRanked)} groups is clearly behind another one.`;
  const score = formatReward(best[0] === undefined ? null : readScore(best[0]));
  return `The data do not say who leads: ${first} can be first. Best score: ${listNames(best)}, ${score}.`;
}

function listNames(rows: readonly LeaderboardRow[]): string {
  if (rows.length > MOST_NAMES) return formatPlural(rows.length, "group");
  const names = rows.map(({ label }) => label);
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

function describeMarked(leaders: readonly LeaderboardRow[]): readonly string[] {
  return leaders.flatMap(({ label, marks }) => {
    const differing = marks.filter(({ state }) => state === "differs").map(({ short }) => short);
    return differing.length === 0 ? [] : [`Caveats: ${label} (${differing.join(", ")}).`];
  });
}
