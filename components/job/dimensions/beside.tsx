import type { Route } from "next";

import { ButtonLink } from "@/components/ui/button";
import { ChartMenu } from "@/components/ui/chart-menu";
import { Link } from "@/components/ui/link";
import { MarkedName } from "@/components/ui/marked-name";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import type { DataColumn } from "@/components/ui/table-columns";
import { dropShared } from "@/lib/core/charts/text-fit";
import { formatCsvLine } from "@/lib/core/format/csv";
import { formatCount, formatDifference, formatPlural, formatReward } from "@/lib/core/format/number";
import { jobPageHref, type DimensionsParams } from "@/lib/pages/job/address";
import type { DimensionsTab } from "@/lib/pages/job/dimensions";
import type { BesideRow, DimensionsBeside as Beside } from "@/lib/pages/job/dimensions-beside";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { DerivedDetailsOutdated } from "../derived-details-reading";
import {
  differenceColumn,
  differencePlot,
  DimensionAnswer,
  DimensionsTable,
  listBounds,
  nameColumns,
} from "./overview";
import { joinNames } from "./overview-words";

import "./overview.css";

interface BesideProps {
  readonly beside: Beside;
  readonly params: DimensionsParams;
}

/** Jobs and run sets are not agents: their marker is ink, filled for the first and hollow for the other. */
const HERE = { identity: 0, isPlain: true } as const;
const THERE = { identity: 0 } as const;

/** Longer names drop the part that both headings share. */
const LONGEST_NAME = 14;

export function DimensionsBeside({
  params,
  sides: { beside },
}: Pick<BesideProps, "params"> & { sides: DimensionsTab }) {
  if (beside === null) return null;
  if (beside === "unknown") return <NoSuchSet refs={params.beside} what="job or run set to compare with" />;
  const { rows, single, reward } = beside;
  if (rows.length === 0 && single.length === 0) return <NothingShared beside={beside} />;
  const main = rows.length === 0 ? single : rows;
  return (
    <section
      className="section dimension-overview dimension-beside"
      aria-label="Dimensions side by side, worst change first"
      data-chart=""
    >
      <DimensionAnswer {...describeBeside(beside)} />
      {beside.state === "reading" ? <DerivedDetailsOutdated /> : null}
      <div className="row dimension-overview-head">
        <h2>Worst change first</h2>
        <span className="dimension-overview-actions">
          <ButtonLink look="bare" href={swapHref(beside, params)}>
            Swap
          </ButtonLink>
          <ButtonLink look="bare" href={jobPageHref(beside.here.pageKey, params, { beside: [] })}>
            Close
          </ButtonLink>
          <ChartMenu name="dimensions-side-by-side" csv={formatBesideCsv(beside)} />
        </span>
      </div>
      <BesideTable
        caption="Dimensions side by side, worst change first"
        rows={reward === null ? main : [reward, ...main]}
        {...{ params, beside }}
      />
      <BesideNotes beside={beside} />
      {rows.length === 0 || single.length === 0 ? null : (
        <details className="dimension-single">
          <summary>
            {formatPlural(single.length, "dimension")} of one common task each{" "}
            <span className="muted">no interval</span>
          </summary>
          <BesideTable caption="Dimensions of one common task each" rows={single} {...{ params, beside }} />
        </details>
      )}
    </section>
  );
}

function swapHref({ here, other }: Beside, params: DimensionsParams): Route {
  const pooled = other.jobKey === null ? other.refs : [];
  return jobPageHref(other.pageKey, { ...params, groups: [] }, { pooled, beside: here.refs });
}

function NothingShared({ beside: { here, other, onlyHere, onlyThere, state } }: { beside: Beside }) {
  if (state === "reading") {
    return (
      <Notice title={`${other.name} is still being read`}>
        Its dimensions appear once its verifier files are read. The page updates automatically.
      </Notice>
    );
  }
  return (
    <Notice title={`No dimension in common with ${other.name}`}>
      {onlyThere.length === 0
        ? "Its finished trials record no dimension on this scale."
        : `No task has the same dimension in both. ${here.name} has ${formatCount(onlyHere.length)}, ${other.name} ${formatCount(onlyThere.length)}.`}
    </Notice>
  );
}

interface TableProps extends BesideProps {
  readonly rows: readonly BesideRow[];
  readonly caption: string;
}

function BesideTable({ params, beside: { here, other, scale }, rows, caption }: TableProps) {
  const [hereShort = here.name, otherShort = other.name] = dropShared([here.name, other.name], LONGEST_NAME);
  const lines = rows.map(({ comparison, ...row }) => ({
    ...row,
    nTasks: comparison.nTasks,
    difference: comparison,
  }));
  type Line = (typeof lines)[number];
  const meanColumn = (side: "here" | "there"): DataColumn<Line> => {
    const { jobKey, name } = side === "here" ? here : other;
    return {
      id: side,
      header: (
        <MarkedName
          mark={side === "here" ? HERE : THERE}
          label={side === "here" ? hereShort : otherShort}
          title={name}
        />
      ),
      meta: { numeric: true },
      cell: ({ kind, name: dimension, task, difference: { meanFirst, meanSecond } }) => {
        const mean = formatReward(side === "here" ? meanFirst : meanSecond, 2);
        if (kind !== "dimension" || jobKey === null) return mean;
        const groups = side === "here" ? params.groups : [];
        const tasks = task === null ? [] : [task];
        return <Link href={trialsPageHref(jobKey, { dimension, tasks, groups })}>{mean}</Link>;
      },
    };
  };
  const [name, tasks] = nameColumns(lines, () => null, ["Common task", "Common tasks"]);
  return (
    <DimensionsTable
      caption={caption}
      rows={lines}
      columns={[
        name,
        differenceColumn(`${here.name} minus ${other.name}, in points, paired by task`),
        ...(scale !== null ? [differencePlot<Line>(scale)] : []),
        meanColumn("here"),
        meanColumn("there"),
        tasks,
      ]}
    />
  );
}

function BesideNotes({ beside }: { beside: Beside }) {
  const { rows, agents, onlyHere, onlyThere, onBothSides, nLeftOut, here, other } = beside;
  return (
    <>
      <p className="caption table-note">
        {here.name} minus {other.name}, over tasks with the dimension on both sides. {describeAgents(agents)}{" "}
        {rows.length === 0 ? "One task cannot be generalized: no intervals." : "Bold: a clear difference."}
        {nLeftOut === 0 ? "" : ` ${formatPlural(nLeftOut, "dimension")} more not listed.`}
        {onlyHere.length === 0 ? "" : ` Only in ${here.name}: ${joinNames(onlyHere)}.`}
        {onlyThere.length === 0 ? "" : ` Only in ${other.name}: ${joinNames(onlyThere)}.`}
      </p>
      {onBothSides.length === 0 ? null : (
        <p className="panel notice" role="note">
          Not independent: {joinNames(onBothSides)} {onBothSides.length === 1 ? "is" : "are"} on both sides,
          which makes the difference smaller and its interval wrong.
        </p>
      )}
      <Methods>
        <p>
          Differences are in points, paired by task, each with the same weight, with 95 % intervals that hold
          jointly for all dimensions of several tasks (Bonferroni); the reward&rsquo;s interval holds for it
          alone. Trials without the dimension are excluded; a missing reward counts as in the groups above. If
          both sides have an agent with the same model, only trials of such agents are compared; otherwise
          all.
        </p>
      </Methods>
    </>
  );
}

function describeBeside({ rows, singleCounts, reward, here, other, isLater }: Beside) {
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
  return { head, rest: sentences.filter(Boolean).join(" ") };
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

function describeSingle({ n, nLower, nHigher, worstTask }: Beside["singleCounts"]): string {
  if (n === 0) return "";
  const where = worstTask === null ? "" : `, most of them in ${worstTask}`;
  return `Of ${formatPlural(n, "dimension")} of one task each, ${formatCount(nLower)} lower${where}; ${formatCount(nHigher)} higher.`;
}

function describeAgents([here, there]: Beside["agents"]): string {
  const names = (agents: readonly Beside["agents"][0][number][]) =>
    joinNames(agents.map(({ agent, model }) => (model === null ? agent : `${agent} ${model}`)));
  const [own, other] = [names(here), names(there)];
  if (own === "" || other === "") return "One group has no finished trials.";
  return own === other ? `Trials of ${own}.` : `Trials of ${own} against those of ${other}.`;
}

export function NoSuchSet({ refs, what }: { refs: readonly string[]; what: string }) {
  return (
    <Notice title={`No such ${what}`}>
      No open job of the same dataset is called <code>{refs.join(" ")}</code>. Choose another above.
    </Notice>
  );
}

const CSV_HEAD = formatCsvLine(
  `kind dimension task n_tasks name minus mean mean_of_other difference difference_low difference_high
  comparisons`.split(/\s+/),
);

function formatBesideCsv({ reward, rows, single, here, other }: Beside): string {
  const all = [...(reward === null ? [] : [reward]), ...rows, ...single];
  const lines = all.map(({ kind, name, task, comparison }) => {
    const { nTasks, meanFirst, meanSecond, difference } = comparison;
    const means = [meanFirst, meanSecond, difference, ...listBounds(comparison)];
    return formatCsvLine([kind, name, task, nTasks, here.name, other.name, ...means]);
  });
  return [CSV_HEAD, ...lines].join("");
}
