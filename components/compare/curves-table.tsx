import { GroupName } from "@/components/ui/agent-name";
import { Table } from "@/components/ui/table";
import { formatPoints, formatRange, formatReward, MISSING } from "@/lib/format/number";
import type { ComparedPair, Comparison } from "@/lib/queries/compare/page";
import type { CurveValue } from "@/lib/stats";

function formatBand({ band }: CurveValue, format = formatReward): string {
  return band.kind === "unavailable" ? MISSING : formatRange(band, format);
}

/** The numbers behind the curves: one row for each group and k, and one for each difference and k. */
export function CurvesTable({ comparison }: { comparison: Comparison }) {
  const columns = [
    { id: "group", label: "Group" },
    { id: "k", label: "k", numeric: true },
    { id: "tasks", label: "Tasks with k attempts", numeric: true },
    { id: "any", label: "pass@k", numeric: true },
    { id: "anyBand", label: "95 % band", numeric: true },
    { id: "recorded", label: "Harbor's pass@k", numeric: true },
    { id: "all", label: "pass^k", numeric: true },
    { id: "allBand", label: "95 % band", numeric: true },
  ];
  return (
    <Table caption="Values of the curves" columns={columns} compact>
      {comparison.groups.map((group) => (
        <tbody key={group.id}>
          {group.curve.kind === "unavailable"
            ? null
            : group.curve.points.map((point, index) => {
                const recorded = group.recorded.get(point.k);
                return (
                  <tr key={point.k}>
                    <td className="name">{index === 0 ? <GroupName group={group} /> : null}</td>
                    <td className="numeric">{point.k}</td>
                    <td className="numeric">{point.nTasks}</td>
                    <td className="numeric">{formatReward(point.passAtK.value)}</td>
                    <td className="numeric muted">{formatBand(point.passAtK)}</td>
                    <td className={recorded === undefined ? "numeric unknown" : "numeric"}>
                      {recorded === undefined ? MISSING : formatReward(recorded)}
                    </td>
                    <td className="numeric">{formatReward(point.passHatK.value)}</td>
                    <td className="numeric muted">{formatBand(point.passHatK)}</td>
                  </tr>
                );
              })}
        </tbody>
      ))}
      {comparison.pairs.map((pair) => (
        <tbody key={pair.other.id}>
          <DifferenceRows pair={pair} />
        </tbody>
      ))}
    </Table>
  );
}

/** Differences of two curves in points, with the intervals of the verdict at k = 1. */
function DifferenceRows({ pair: { first, second, difference } }: { pair: ComparedPair }) {
  if (difference.kind === "unavailable") return null;
  return difference.points.map(({ k, nTasks, passAtK, passHatK }, index) => (
    <tr key={k}>
      <td className="name">{index === 0 ? `${first.label} minus ${second.label}, points` : null}</td>
      <td className="numeric">{k}</td>
      <td className="numeric">{nTasks}</td>
      <td className="numeric">{formatPoints(passAtK.value)}</td>
      <td className="numeric muted">{formatBand(passAtK, formatPoints)}</td>
      <td className="numeric unknown">{MISSING}</td>
      <td className="numeric">{formatPoints(passHatK.value)}</td>
      <td className="numeric muted">{formatBand(passHatK, formatPoints)}</td>
    </tr>
  ));
}
