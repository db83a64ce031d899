import { AgentName } from "@/components/ui/agent-name";
import { Check } from "@/components/ui/check";
import { ExactNumber } from "@/components/ui/exact-number";
import { IntervalHeading, IntervalPlot } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { Correction } from "@/components/verifier/correction";
import type { Outcome } from "@/lib/core/domain/trial";
import { formatFigure } from "@/lib/core/format/figure";
import { describeMean, formatCost, formatMissingCosts, formatReward } from "@/lib/core/format/number";
import { jobPageHref } from "@/lib/pages/job/address";
import type { JobGroup, MetricLine } from "@/lib/pages/job/page";
import { trialsPageHref } from "@/lib/pages/trials/address";
import type { GroupCorrection } from "@/lib/pages/verifier/groups";

import { describeNoPassAtK, formatBounds, selectBounds } from "./group-cells";
import { SettingsWords } from "./group-settings";

export interface GroupLine {
  readonly group: JobGroup;
  readonly line: MetricLine | null;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly nFolded: number | null;
  readonly correction: GroupCorrection | null;
}

export interface GroupsView {
  readonly jobKey: string;
  readonly isDivided: boolean;
  readonly ks: readonly string[];
  readonly outcomes: readonly { readonly outcome: Outcome; readonly label: string }[];
  readonly hasKeys: boolean;
  readonly plotWidth: number;
}

/** A column of groups, in the first line of each. */
function wholeColumn({
  cell,
  isFilled: _,
  attributes: _attributes,
  ...rest
}: DataColumn<JobGroup>): DataColumn<GroupLine> {
  return { ...rest, cell: ({ group, isFirst }) => (isFirst ? cell(group) : null) };
}

export function listGroupColumns(view: GroupsView): readonly DataColumn<GroupLine>[] {
  const { jobKey, hasKeys, plotWidth } = view;
  return [
    agentColumn(view),
    ...(hasKeys ? [KEY_COLUMN] : []),
    column(hasKeys ? "Value" : "Mean reward", ({ line }) => <Figure figure={line?.figure ?? null} />, {
      numeric: true,
      title: "As recorded in result.json; grey if computed from the trials",
      phone: "score",
    }),
    column("95 % interval", (line) => <WrittenInterval {...line} />, {
      numeric: true,
      className: "muted",
      room: "minor",
      phone: "below",
    }),
    {
      id: "interval",
      header: <IntervalHeading width={plotWidth} />,
      meta: { className: "interval-cell" },
      cell: (line) => <DrawnInterval line={line} width={plotWidth} />,
    },
    CORRECTED_COLUMN,
    column("Check", ({ line }) => <FigureCheck figure={line?.figure ?? null} jobKey={jobKey} />, {
      phone: "side",
    }),
    ...listWholeColumns(view),
  ];
}

function agentColumn({ jobKey, isDivided }: GroupsView): DataColumn<GroupLine> {
  return wholeColumn(
    column(
      "Agent and model",
      (group) => (
        <>
          <Link
            className="quiet"
            href={trialsPageHref(jobKey, { groups: [group.group.key], isDivided })}
            title={`Trials of ${group.group.key}`}
          >
            <AgentName identity={group.identity} agent={group.group.agent} model={group.group.model} />
          </Link>
          <SettingsWords group={group} />
        </>
      ),
      { phone: "first" },
    ),
  );
}

function listWholeColumns({ jobKey, isDivided, ks, outcomes }: GroupsView): readonly DataColumn<GroupLine>[] {
  return [
    ...ks.map((k) =>
      wholeColumn(
        column(`pass@${k}`, ({ passAtK }) => <Figure figure={passAtK.get(k) ?? null} />, {
          numeric: true,
          title: "Harbor's figure",
        }),
      ),
    ),
    ...(ks.length === 0
      ? []
      : [
          wholeColumn({
            id: "pass-check",
            header: "Check",
            meta: { room: "minor" },
            cell: (group) => <PassCheck group={group} jobKey={jobKey} />,
          }),
        ]),
    ...outcomes.map(({ outcome, label }) =>
      wholeColumn({
        id: outcome,
        header: label,
        meta: { numeric: true, phone: "labelled" },
        cell: (group) =>
          group.nTrials === 0 ? (
            <Unknown title="No trials of this group" />
          ) : (
            <Count
              value={group.counts[outcome]}
              href={trialsPageHref(jobKey, {
                groups: [group.group.key],
                isDivided,
                outcomes: [outcome],
              })}
            />
          ),
      }),
    ),
    wholeColumn(
      column(
        "$ per pass",
        ({ costPerPass, nWithCost, nTrials }) => (
          <>
            <span className={costPerPass === null ? "unknown" : undefined}>{formatCost(costPerPass)}</span>
            <span className="muted"> {formatMissingCosts(nTrials - nWithCost, nTrials)}</span>
          </>
        ),
        { numeric: true, title: "Cost per passed trial, over trials of known cost", room: "minor" },
      ),
    ),
  ];
}

const CORRECTED_COLUMN: DataColumn<GroupLine> = {
  id: "corrected",
  header: "Corrected",
  meta: {
    title: "Human-corrected score, from randomly sampled labels",
    phone: "labelled",
  },
  isFilled: ({ correction }) => correction !== null,
  cell: ({ correction, group, isFirst }) =>
    isFirst ? (
      <Correction
        correction={correction}
        mean={group.interval.kind === "computed" ? group.interval.mean : null}
      />
    ) : null,
};

const KEY_COLUMN: DataColumn<GroupLine> = column(
  "Reward key or metric",
  ({ line }) =>
    line === null ? (
      <Unknown />
    ) : (
      <>
        {line.rewardKey ?? line.metric}
        {line.rewardKey !== null && line.metric !== "mean" ? (
          <span className="muted"> {line.metric}</span>
        ) : null}
      </>
    ),
  { phone: "above" },
);

function Figure({ figure }: { figure: MetricLine["figure"] | null }) {
  const { recorded = null, recomputed = null } = figure ?? {};
  if (recorded !== null) return <ExactNumber shown={formatFigure(recorded)} exact={recorded} />;
  if (recomputed === null) return <Unknown />;
  return (
    <span className="muted" title="Computed from the trials; result.json records none">
      <ExactNumber shown={formatFigure(recomputed)} exact={recomputed} />
    </span>
  );
}

function readInterval({ group, line }: GroupLine) {
  const isHeadline = line?.metric === "mean" && (line.rewardKey ?? line.metric) === group.headline?.key;
  if (!isHeadline) return null;
  const bounds = selectBounds(group);
  const mean = group.interval.kind === "computed" ? group.interval.mean : null;
  const title =
    bounds === null || mean === null ? group.basis : `${describeMean(mean, bounds)}: ${group.basis}`;
  return { bounds, mean, title };
}

function WrittenInterval(row: GroupLine) {
  const interval = readInterval(row);
  if (interval === null) return row.line === null ? <Unknown /> : null;
  const { bounds, mean, title } = interval;
  const recorded = row.line?.figure.recorded ?? null;
  const isOther = mean !== null && recorded !== null && formatReward(Number(recorded)) !== formatReward(mean);
  return (
    <span title={title}>
      {isOther ? `${formatReward(mean)} ` : null}
      {formatBounds(bounds)}
    </span>
  );
}

function DrawnInterval({ line, width }: { line: GroupLine; width: number }) {
  const interval = readInterval(line);
  if (interval === null) return null;
  const { bounds, mean, title } = interval;
  const mark =
    bounds === null || mean === null
      ? null
      : { value: mean, low: bounds.low, high: bounds.high, identity: line.group.identity };
  return <IntervalPlot title={title} width={width} mark={mark} />;
}

function FigureCheck({ figure, jobKey }: { figure: MetricLine["figure"] | null; jobKey: string }) {
  if (figure === null) return <Unknown />;
  const { path, reason, verdict, ulps, recorded, recomputed } = figure;
  return (
    <span className="job-recomputed">
      <Link
        className="quiet"
        href={jobPageHref(jobKey, { tab: "verification", figure: path })}
        title={reason ?? "Same bits, recomputed from the trials"}
      >
        <Check verdict={verdict} ulps={ulps} />
      </Link>
      {verdict === "exact" || recorded === null || recomputed === null ? null : (
        <ExactNumber shown={formatFigure(recomputed)} exact={recomputed} />
      )}
    </span>
  );
}

function PassCheck({ group, jobKey }: { group: JobGroup; jobKey: string }) {
  const { group: own, passAtK, passVerdict } = group;
  if (passAtK.size === 0) return <Unknown title={describeNoPassAtK(own) ?? "No pass@k"} />;
  return (
    <Link
      className="quiet"
      href={jobPageHref(jobKey, { tab: "verification", kinds: ["pass-at-k"], groups: [own.key] })}
    >
      <Check verdict={passVerdict} />
    </Link>
  );
}
