import { ChartMenu } from "@/components/ui/chart-menu";
import { Methods } from "@/components/ui/methods";
import { formatCsvLine } from "@/lib/core/format/csv";
import { formatPlural } from "@/lib/core/format/number";
import type { DimensionsParams } from "@/lib/pages/job/address";
import type { DimensionOverview, OverviewRow } from "@/lib/pages/job/dimension-overview";
import type { DimensionSet } from "@/lib/pages/job/dimension-sides";
import type { JobPage } from "@/lib/pages/job/page";

import { OverviewTable } from "./overview-table";

import "./overview.css";
import { describeOverview, nameGroup, type OverviewGroup } from "./overview-words";

interface OverviewProps {
  readonly page: JobPage;
  readonly overview: DimensionOverview;
  readonly pooled: DimensionSet | null;
  readonly params: DimensionsParams;
}

export function DimensionsOverview({ page, overview, pooled, params }: OverviewProps) {
  const jobKey = pooled === null ? page.job.key : null;
  const groups =
    pooled === null
      ? overview.groups.flatMap((key) => page.groups.find(({ group }) => group.key === key) ?? [])
      : [toGroup(pooled)];
  const nameOf = (key: string) => nameGroup(groups, key);
  const words = describeOverview(overview, nameOf);
  const { rows, single, unscaled } = overview;
  return (
    <section className="section dimension-overview" aria-label="Dimensions, worst first" data-chart="">
      {words === null ? null : (
        <div className="dimension-answer">
          <p>
            <b>{words.head}</b>
          </p>
          {words.rest === null ? null : <p>{words.rest}</p>}
        </div>
      )}
      <div className="row dimension-overview-head">
        <h2>Dimensions, worst first</h2>
        <span className="dimension-overview-actions">
          <ChartMenu name="dimensions" csv={formatOverviewCsv(overview, groups)} />
        </span>
      </div>
      <OverviewTable
        caption="Dimensions, worst first"
        rows={overview.reward === null ? rows : [overview.reward, ...rows]}
        {...{ jobKey, overview, params, groups }}
      />
      <OverviewNotes overview={overview} />
      {unscaled.length === 0 ? null : (
        <p className="caption">
          Not on a scale from 0 to 1: <span className="dimension-unscaled">{unscaled.join(", ")}</span>. See
          the columns of the groups above.
        </p>
      )}
      {single.length === 0 ? null : (
        <details className="dimension-single">
          <summary>
            {formatPlural(single.length, "dimension")} of one task each{" "}
            <span className="muted">nothing to pool</span>
          </summary>
          <OverviewTable
            caption="Dimensions of one task each"
            rows={single}
            {...{ jobKey, overview, params, groups }}
          />
        </details>
      )}
    </section>
  );
}

function toGroup({ key, name, identity }: DimensionSet): OverviewGroup {
  return { group: { key, agent: name, model: null }, identity };
}

function OverviewNotes({ overview: { rows, nHidden, nLeftOut, pair } }: { overview: DimensionOverview }) {
  const nMissing = rows.reduce((sum, row) => sum + row.nMissing, 0);
  const hasLoss = rows.some(({ lossShare }) => lossShare !== null);
  return (
    <>
      <p className="caption table-note">
        Mean with its 95 % interval over tasks with the dimension.{" "}
        {nMissing === 0 ? "" : `${formatPlural(nMissing, "value")} missing, left out. `}
        {nHidden === 0 ? "" : `${formatPlural(nHidden, "agent")} not shown: filter by agent. `}
        {nLeftOut === 0 ? "" : `${formatPlural(nLeftOut, "dimension")} more are with their families below. `}
        {pair === null ? "" : "Bold: a clear difference."}
      </p>
      <Methods>
        <p>
          Dimensions and reward keys with the same name are pooled over tasks. Finished trials, clustered by
          task; each task&rsquo;s own dimensions are below. Sorted by the mean of the agents&rsquo; means.
          Missing rewards count as in the groups above.
        </p>
        {pair === null ? null : (
          <p>
            Differences are in points, paired by task, with 95 % intervals that hold jointly for all
            dimensions (Bonferroni).
          </p>
        )}
        {hasLoss ? (
          <p>
            Share of loss: part of the gap between the rewards and 1. Known, because every reward is the
            weighted mean of its dimensions.
          </p>
        ) : (
          <p>No share of loss: rewards are not known to be the weighted mean of their dimensions.</p>
        )}
      </Methods>
    </>
  );
}

const HEAD = [
  "kind",
  "dimension",
  "n_tasks",
  "agent",
  "model",
  "mean",
  "low",
  "high",
  "n",
  "n_missing",
  "share_of_loss",
];
const DIFFERENCE = ["minus", "difference", "difference_low", "difference_high", "comparisons"];

function formatOverviewCsv(overview: DimensionOverview, groups: readonly OverviewGroup[]): string {
  const { reward, rows } = overview;
  const all = reward === null ? rows : [reward, ...rows];
  const lines = all.flatMap((row) =>
    groups.map(({ group }, at) =>
      formatCsvLine([
        row.kind,
        row.name,
        row.nTasks,
        group.agent,
        group.model,
        ...listMean(row.cells[at] ?? null),
        row.lossShare,
        ...listDifference(overview, row, group.key),
      ]),
    ),
  );
  return [formatCsvLine([...HEAD, ...DIFFERENCE]), ...lines].join("");
}

function listMean(cell: OverviewRow["cells"][number]): readonly (number | null)[] {
  if (cell === null) return [null, null, null, 0, null];
  const { mean, bounds, n, nMissing } = cell;
  return [mean, ...(bounds.kind === "computed" ? [bounds.low, bounds.high] : [null, null]), n, nMissing];
}

function listDifference(
  { pair }: DimensionOverview,
  { difference }: OverviewRow,
  groupKey: string,
): readonly (string | number | null)[] {
  if (difference === null || pair?.[0] !== groupKey) return [null, null, null, null, null];
  const { bounds } = difference;
  return [
    pair[1],
    difference.difference,
    ...(bounds.kind === "computed" ? [bounds.low, bounds.high, bounds.nComparisons] : [null, null, null]),
  ];
}
