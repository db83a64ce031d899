import { type Column, Table } from "@/components/ui/table";
import {
  readTaskChange,
  TASK_SPENDINGS,
  type TaskChange,
  type TaskSpending,
  type TaskStanding,
} from "@/lib/core/domain/compare-filter";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { listValues } from "@/lib/pages/address/address";
import { compareParamsHref, type CompareParams } from "@/lib/pages/compare/address";
import type { Comparison } from "@/lib/pages/compare/page";

import { ChangeForm } from "./change-form";

import "./changes-section.css";

type Measure = Comparison["matrix"]["changes"]["measure"];

const SPENDING_WORDS: Readonly<Record<Measure, Readonly<Record<TaskSpending, string>>>> = {
  cost: { less: "Costs less", same: "Costs the same", more: "Costs more", unknown: "Cost unknown" },
  time: { less: "Takes less time", same: "The same time", more: "Takes longer", unknown: "Time unknown" },
  tokens: {
    less: "Fewer tokens",
    same: "The same tokens",
    more: "More tokens",
    unknown: "Tokens unknown",
  },
};

export function nameChange(change: TaskChange, { groups, matrix }: Comparison): string {
  const { standing, spending } = readTaskChange(change);
  const { versus, measure } = matrix.changes;
  const [other = "", baseline = ""] = [groups[versus]?.label, groups[0]?.label];
  const words = [
    standing === null ? "" : nameStanding(standing, other, baseline),
    spending === null ? "" : `${other}: ${SPENDING_WORDS[measure][spending].toLowerCase()}`,
  ];
  return words.filter((part) => part !== "").join(", ");
}

function nameStanding(standing: TaskStanding, other: string, baseline: string): string {
  if (standing === "level") return `${other} level with ${baseline}`;
  return standing === "ahead" ? `${other} ahead of ${baseline}` : `${baseline} ahead of ${other}`;
}

export function ChangesSection({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { groups, matrix } = comparison;
  const { versus, measure, counts, nApart } = matrix.changes;
  const [other = "", baseline = ""] = [groups[versus]?.label, groups[0]?.label];
  const spendings = TASK_SPENDINGS.filter((spending) =>
    Object.values(counts).some((row) => row[spending] > 0),
  );
  const rows = (["ahead", "level", "behind"] as const).map((standing) => ({
    standing,
    total: TASK_SPENDINGS.reduce((sum, spending) => sum + counts[standing][spending], 0),
  }));
  const most = Math.max(1, ...rows.map(({ total }) => total));
  const kept = listValues(compareParamsHref(params, { change: "any", versus: null }));
  const columns: readonly Column[] = [
    { id: "standing", label: "Tasks" },
    { id: "all", label: "All", numeric: true },
    ...spendings.map((spending) => ({
      id: spending,
      label: SPENDING_WORDS[measure][spending],
      numeric: true,
    })),
  ];
  return (
    <section className="section changes" aria-label="Changed tasks">
      <h2>Changed tasks</h2>
      <ChangeForm>
        {kept.map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        {groups.length === 2 ? null : (
          <label className="row changes-versus">
            <select className="input" name="versus" defaultValue={versus + 1} key={versus}>
              {groups.slice(1).map(({ id, label }, at) => (
                <option key={id} value={at + 2}>
                  {label}
                </option>
              ))}
            </select>
            <span className="muted">against {baseline}</span>
          </label>
        )}
        <Table caption={`Tasks by mean reward and ${measure}`} columns={columns} compact>
          <tbody>
            {rows.map(({ standing, total }) => (
              <tr key={standing}>
                <td className="name">{nameStanding(standing, other, baseline)}</td>
                <CountCell
                  change={standing}
                  count={total}
                  most={most}
                  words={nameChange(standing, comparison)}
                  params={params}
                />
                {spendings.map((spending) => (
                  <CountCell
                    key={spending}
                    change={`${standing}-${spending}`}
                    count={counts[standing][spending]}
                    most={most}
                    words={nameChange(`${standing}-${spending}`, comparison)}
                    params={params}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </ChangeForm>
      <p className="caption">
        {other} against {baseline} by mean reward and mean {measure} of an attempt at each task. A count shows
        its tasks below.
        {nApart === 0 ? "" : ` ${formatPlural(nApart, "task")} left out: no mean reward of one of the two.`}
      </p>
    </section>
  );
}

function CountCell({
  change,
  count,
  most,
  words,
  params,
}: {
  change: TaskChange;
  count: number;
  most: number;
  words: string;
  params: CompareParams;
}) {
  const isOn = params.change === change;
  return (
    <td className="numeric">
      {count === 0 && !isOn ? (
        <span className="muted">0</span>
      ) : (
        <button
          className="change-count"
          type="submit"
          name="change"
          value={isOn ? "" : change}
          aria-pressed={isOn}
          aria-label={`${formatPlural(count, "task")}: ${words}`}
          title={isOn ? "Show all tasks again" : "Show these tasks below"}
        >
          <span className="change-bar" style={{ width: `${((100 * count) / most).toFixed(1)}%` }} />
          <span>{formatCount(count)}</span>
        </button>
      )}
    </td>
  );
}
