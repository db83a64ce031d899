import { formatCount, formatDifference, formatPlural, formatReward } from "@/lib/core/format/number";
import type { DimensionOverview, OverviewRow } from "@/lib/pages/job/dimension-overview";
import type { JobGroup } from "@/lib/pages/job/page";

export interface OverviewGroup extends Pick<JobGroup, "identity"> {
  readonly group: Pick<JobGroup["group"], "key" | "agent" | "model">;
}

type NameGroup = (groupKey: string) => string;

const MOST_NAMED = 3;

export function describeOverview(
  { rows: main, single, pair, reward, groups, nLeftOut, all }: DimensionOverview,
  nameGroup: NameGroup,
): { readonly head: string; readonly rest: string | null } | null {
  const rows = [...main, ...single].toSorted((a, b) => (a.mean ?? 0) - (b.mean ?? 0));
  const [worst] = rows;
  if (worst === undefined) return null;
  const noun = all.areChecks ? "check" : "dimension";
  const of = formatPlural(all.n, noun);
  const count =
    all.nBelow === 0
      ? `All ${of} ${all.areChecks ? "pass" : "are at 1"}.`
      : `${formatCount(all.nBelow)} of ${of} ${all.areChecks ? "fail" : "are below 1"}.`;
  return {
    head:
      all.nBelow === 0 ? count : `${count} ${describeWorst(rows, worst, { groups, nLeftOut }, nameGroup)}`,
    rest: describeDifferences(rows, pair, reward, nameGroup),
  };
}

function describeWorst(
  rows: readonly OverviewRow[],
  worst: OverviewRow,
  { groups, nLeftOut }: Pick<DimensionOverview, "groups" | "nLeftOut">,
  nameGroup: NameGroup,
): string {
  const lossy = rows
    .filter(({ lossShare }) => lossShare !== null)
    .toSorted((a, b) => (b.lossShare ?? 0) - (a.lossShare ?? 0))
    .slice(0, 1);
  const [most] = lossy;
  if (most !== undefined)
    return `${most.name} accounts for ${formatShare(most.lossShare)} of all lost reward.`;
  const means = worst.cells.flatMap((cell, at) =>
    cell === null ? [] : [`${formatReward(cell.mean, 2)} for ${nameGroup(groups[at] ?? "")}`],
  );
  const ties = rows.filter((row) => isSameMeans(row, worst));
  if (ties.length > 1) {
    const atLeast = ties.length === rows.length && nLeftOut > 0 ? "At least " : "";
    return `${atLeast}${formatPlural(ties.length, "dimension")} tie for the lowest: ${joinWords(means)}.`;
  }
  const over = worst.task === null ? `over ${formatPlural(worst.nTasks, "task")}` : `in ${worst.task}`;
  return `${worst.name} is lowest: ${joinWords(means)}, ${over}.`;
}

function isSameMeans(one: OverviewRow, other: OverviewRow): boolean {
  return one.cells.every((cell, at) => {
    const beside = other.cells[at] ?? null;
    if (cell === null || beside === null) return cell === beside;
    return formatReward(cell.mean, 2) === formatReward(beside.mean, 2);
  });
}

function describeDifferences(
  rows: readonly OverviewRow[],
  pair: DimensionOverview["pair"],
  reward: OverviewRow | null,
  nameGroup: NameGroup,
): string | null {
  if (pair === null) return null;
  const [first, second] = pair.map(nameGroup);
  const of = (verdict: string) =>
    rows.filter(({ difference }) => difference?.verdict === verdict).map(({ name }) => name);
  const [ahead, behind] = [of("first-better"), of("second-better")];
  const nCompared = rows.filter(({ difference }) => difference !== null).length;
  if (nCompared === 0) return `${first} and ${second} share no task with a dimension.`;
  const nUnclear = nCompared - ahead.length - behind.length;
  const total =
    reward?.difference == null
      ? ""
      : `${first} minus ${second}: ${formatDifference(reward.difference.difference, true)} points of reward. `;
  const clear = [
    ahead.length === 0 ? "" : `${first} is ahead in ${joinNames(ahead)}. `,
    behind.length === 0 ? "" : `${second} is ahead in ${joinNames(behind)}. `,
  ].join("");
  const unclear =
    nUnclear === 0
      ? ""
      : clear === ""
        ? `No clear difference in ${formatPlural(nCompared, "dimension")}.`
        : `No clear difference in the other ${nUnclear}.`;
  return `${total}${clear}${unclear}`.trim();
}

export function formatShare(share: number | null): string {
  if (share === null) return "—";
  return share > 0 && share < 0.005 ? "< 1 %" : `${(share * 100).toFixed(0)} %`;
}

export function joinNames(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return rest <= 0 ? joinWords(names) : `${names.slice(0, MOST_NAMED).join(", ")} and ${rest} more`;
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function nameGroup(groups: readonly OverviewGroup[], key: string): string {
  const found = groups.find(({ group }) => group.key === key)?.group;
  if (found === undefined) return key;
  const isAlone = groups.filter(({ group }) => group.agent === found.agent).length === 1;
  return isAlone || found.model === null ? found.agent : `${found.agent} ${found.model}`;
}
