import { GroupName } from "@/components/ui/agent-name";
import { Table } from "@/components/ui/table";
import { formatPoints, formatRange, formatReward, MISSING } from "@/lib/core/format/number";
import type { CurveValue } from "@/lib/core/stats";
import type { Comparison } from "@/lib/pages/compare/page";

const COLUMNS = [
  { id: "group", label: "Group" },
  { id: "k", label: "k", numeric: true },
  { id: "tasks", label: "Tasks with k attempts", numeric: true },
  { id: "any", label: "pass@k", numeric: true },
  { id: "anyBand", label: "95 % band", numeric: true },
  { id: "recorded", label: "Harbor's pass@k", numeric: true },
  { id: "all", label: "pass^k", numeric: true },
  { id: "allBand", label: "95 % band", numeric: true },
];

function formatBand({ band }: CurveValue, format: (value: number) => string): string {
  return band.kind === "unavailable" ? MISSING : formatRange(band, format);
}

export function CurvesTable({ comparison }: { comparison: Comparison }) {
  const levels = comparison.groups.map((group) => ({
    name: <GroupName group={group} />,
    curve: group.curve,
    recorded: group.recorded,
    format: formatReward,
  }));
  // In points, with the verdict's intervals at k = 1.
  const differences = comparison.pairs.map(({ first, second, difference }) => ({
    name: `${first.label} minus ${second.label}, points`,
    curve: difference,
    recorded: null,
    format: formatPoints,
  }));
  return (
    <Table caption="Values of the curves" columns={COLUMNS} compact>
      {[...levels, ...differences].map(({ name, curve, recorded, format }, at) => (
        <tbody key={at}>
          {(curve.kind === "unavailable" ? [] : curve.points).map((point, index) => {
            const { k, nTasks, passAtK, passHatK } = point;
            const harbors = recorded?.get(k);
            return (
              <tr key={k}>
                <td className="name">{index === 0 ? name : null}</td>
                <td className="numeric">{k}</td>
                <td className="numeric">{nTasks}</td>
                <td className="numeric">{format(passAtK.value)}</td>
                <td className="numeric muted">{formatBand(passAtK, format)}</td>
                <td className={harbors === undefined ? "numeric unknown" : "numeric"}>
                  {harbors === undefined ? MISSING : formatReward(harbors)}
                </td>
                <td className="numeric">{format(passHatK.value)}</td>
                <td className="numeric muted">{formatBand(passHatK, format)}</td>
              </tr>
            );
          })}
        </tbody>
      ))}
    </Table>
  );
}
