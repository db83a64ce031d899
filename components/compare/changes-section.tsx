import { DataTable } from "@/components/ui/data-table";
import { column, type DataColumn } from "@/components/ui/table-columns";
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

interface ChangeRow {
  readonly standing: TaskStanding;
  readonly total: number;
}

export function ChangesSection({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { groups, matrix } = comparison;
  const { versus, measure, nApart } = matrix.changes;
  const [other = "", baseline = ""] = [groups[versus]?.label, groups[0]?.label];
  const kept = listValues(compareParamsHref(params, { change: "any", versus: null }));
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
        <ChangesTable comparison={comparison} params={params} />
      </ChangeForm>
      <p className="caption">
        {other} against {baseline} by mean reward and mean {measure} of an attempt at each task. Click a count
        to show its tasks below.
        {nApart === 0 ? "" : ` ${formatPlural(nApart, "task")} left out: one of the two has no mean reward.`}
      </p>
    </section>
  );
}

function ChangesTable({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { groups, matrix } = comparison;
  const { versus, measure, counts } = matrix.changes;
  const spendings = TASK_SPENDINGS.filter((spending) =>
    Object.values(counts).some((row) => row[spending] > 0),
  );
  const rows = (["ahead", "level", "behind"] as const).map((standing): ChangeRow => ({
    standing,
    total: TASK_SPENDINGS.reduce((sum, spending) => sum + counts[standing][spending], 0),
  }));
  const most = Math.max(1, ...rows.map(({ total }) => total));
  const countColumn = (
    header: string,
    spending: TaskSpending | null,
    countOf: (row: ChangeRow) => number,
  ): DataColumn<ChangeRow> =>
    column(
      header,
      (row) => {
        const change = spending === null ? row.standing : (`${row.standing}-${spending}` as const);
        const words = nameChange(change, comparison);
        return <ChangeCount change={change} count={countOf(row)} most={most} words={words} params={params} />;
      },
      { numeric: true },
    );
  return (
    <DataTable<ChangeRow>
      caption={`Tasks by mean reward and ${measure}`}
      className="table-compact"
      columns={[
        column(
          "Tasks",
          ({ standing }) => nameStanding(standing, groups[versus]?.label ?? "", groups[0]?.label ?? ""),
          {
            className: "name",
          },
        ),
        countColumn("All", null, ({ total }) => total),
        ...spendings.map((spending) =>
          countColumn(
            SPENDING_WORDS[measure][spending],
            spending,
            ({ standing }) => counts[standing][spending],
          ),
        ),
      ]}
      rows={rows}
      rowKey={({ standing }) => standing}
    />
  );
}

function ChangeCount({
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
  return count === 0 && !isOn ? (
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
  );
}
