import type { Route } from "next";

import { ButtonLink } from "@/components/ui/button";
import { ChartMenu } from "@/components/ui/chart-menu";
import { Link } from "@/components/ui/link";
import { MarkedName } from "@/components/ui/marked-name";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import type { DataColumn } from "@/components/ui/table-columns";
import { dropShared } from "@/lib/core/charts/text-fit";
import { formatCount, formatPlural, formatReward } from "@/lib/core/format/number";
import { jobPageHref, type DimensionsParams } from "@/lib/pages/job/address";
import type { BesideRow, DimensionsBeside as Beside } from "@/lib/pages/job/dimensions-beside";
import type { DimensionsTab } from "@/lib/pages/job/dimensions-tab";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { DerivedDetailsOutdated } from "../derived-details-reading";
import { formatBesideCsv } from "./beside-csv";
import { describeAgents, describeBeside } from "./beside-words";
import { differenceColumn, differencePlot, DimensionsTable, nameColumns } from "./overview-table";
import { joinNames } from "./overview-words";
import { NoSuchSet } from "./side-menus";

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
}: {
  params: DimensionsParams;
  sides: DimensionsTab;
}) {
  if (beside === null) return null;
  if (beside === "unknown") return <NoSuchSet refs={params.beside} what="job or run set to compare with" />;
  const { rows, single, reward } = beside;
  if (rows.length === 0 && single.length === 0) return <NothingShared beside={beside} />;
  const { head, rest } = describeBeside(beside);
  const main = rows.length === 0 ? single : rows;
  return (
    <section
      className="section dimension-overview dimension-beside"
      aria-label="Dimensions side by side, worst change first"
      data-chart=""
    >
      <div className="dimension-answer">
        <p>
          <b>{head}</b>
        </p>
        <p>{rest}</p>
      </div>
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
      header:
        side === "here" ? (
          <MarkedName mark={HERE} label={hereShort} title={name} />
        ) : (
          <MarkedName mark={THERE} label={otherShort} title={name} />
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
        <p className="notice" role="note">
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
