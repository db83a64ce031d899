import { jobPageHref } from "@/lib/addresses/job";
import { IntervalPlot } from "@/components/ui/interval-plot";
import { ExactNumber } from "@/components/ui/exact-number";
import { Check } from "@/components/ui/check";
import { SoftLink } from "@/components/ui/soft-link";
import { formatFigure } from "@/lib/format/figure";
import { describeMean, formatReward, MISSING } from "@/lib/format/number";
import type { JobGroup, MetricLine } from "@/lib/queries/job/page";

import type { GroupSummary } from "@/lib/store";

import { formatBounds, selectBounds } from "./group-cells";

/** What the cells of the groups table need to know of the table. */
export interface LinesView {
  readonly jobKey: string;
  readonly ks: readonly string[];
  readonly hasKeys: boolean;
  readonly plotWidth: number;
}

/** Reward key, recorded number, interval and check of one metric line. */
export function LineCells({
  line,
  group,
  view,
}: {
  line: MetricLine | null;
  group: JobGroup;
  view: LinesView;
}) {
  const figure = line?.figure ?? null;
  return (
    <>
      {view.hasKeys ? <KeyCell line={line} /> : null}
      {group.setup === null ? <FigureCell figure={figure} /> : <PassCell figure={figure} />}
      {isHeadlineMean(line, group) ? (
        <IntervalCells
          summary={group}
          identity={group.identity}
          basis={group.basis}
          width={view.plotWidth}
          showMean={figure?.verdict === "mismatch" || figure?.verdict === "incomplete"}
        />
      ) : (
        <>
          <td className="numeric unknown minor">{line === null ? MISSING : ""}</td>
          <td className="minor" />
        </>
      )}
      <CheckCell figure={figure} group={group} view={view} />
    </>
  );
}

/** Written and drawn interval of a group's mean. */
function IntervalCells({
  summary,
  identity,
  basis,
  width,
  showMean,
}: {
  summary: GroupSummary;
  identity: number;
  /** Basis of mean and interval, in words, or why there is none. */
  basis: string;
  width: number;
  /** Says the mean that the interval is around, where the number beside it is another. */
  showMean: boolean;
}) {
  const bounds = summary.nRewardKeys > 1 && summary.headline === null ? null : selectBounds(summary);
  const mean = summary.interval.kind === "computed" ? summary.interval.mean : null;
  const title = bounds === null || mean === null ? basis : `${describeMean(mean, bounds)}: ${basis}`;
  return (
    <>
      <td className="numeric muted minor" title={title}>
        {showMean && mean !== null ? `${formatReward(mean)} ` : null}
        {formatBounds(bounds)}
      </td>
      <td className="interval-cell minor">
        <IntervalPlot
          title={title}
          width={width}
          mark={
            bounds === null || mean === null
              ? null
              : { value: mean, low: bounds.low, high: bounds.high, identity }
          }
        />
      </td>
    </>
  );
}

/** Whether the group's interval, which is that of the mean headline reward, belongs to this line. */
function isHeadlineMean(line: MetricLine | null, group: JobGroup): boolean {
  return line !== null && line.metric === "mean" && (line.rewardKey ?? line.metric) === group.headline?.key;
}

function KeyCell({ line }: { line: MetricLine | null }) {
  if (line === null) return <td className="unknown">{MISSING}</td>;
  return (
    <td>
      {line.rewardKey ?? line.metric}
      {line.rewardKey !== null && line.metric !== "mean" ? (
        <span className="muted"> {line.metric}</span>
      ) : null}
    </td>
  );
}

/** The recorded number, or a dash where result.json states none. */
function FigureCell({ figure }: { figure: MetricLine["figure"] | null }) {
  const exact = figure?.recorded ?? null;
  if (exact === null) return <td className="numeric unknown">{MISSING}</td>;
  return (
    <td className="numeric">
      <ExactNumber shown={formatFigure(exact)} exact={exact} />
    </td>
  );
}

/** Whether the recorded number follows from the trials; the recomputed one stands beside it unless it is the same. */
function CheckCell({
  figure,
  group,
  view,
}: {
  figure: MetricLine["figure"] | null;
  group: JobGroup;
  view: LinesView;
}) {
  if (figure === null) return <td className="unknown">{MISSING}</td>;
  return (
    <td>
      <span className="job-recomputed">
        <SoftLink
          className="quiet"
          href={jobPageHref(view.jobKey, { tab: "verification", figure: figure.path })}
          title={figure.reason ?? "The same bits, recomputed from the trials"}
        >
          <Check verdict={figure.verdict} ulps={figure.ulps} />
        </SoftLink>
        {figure.verdict === "exact" || figure.recomputed === null || group.setup !== null ? null : (
          <ExactNumber shown={formatFigure(figure.recomputed)} exact={figure.recomputed} />
        )}
      </span>
    </td>
  );
}

/** Harbor's pass@k of a group, and whether it follows from the trials. */
export function PassCells({ group, view }: { group: JobGroup; view: LinesView }) {
  if (view.ks.length === 0) return null;
  return (
    <>
      {view.ks.map((k) => (
        <PassCell key={k} figure={group.passAtK.get(k) ?? null} />
      ))}
      <td>
        {group.passAtK.size === 0 ? (
          <span className="unknown" title={explainIneligible(group)}>
            {MISSING}
          </span>
        ) : (
          <SoftLink
            className="quiet"
            href={jobPageHref(view.jobKey, {
              tab: "verification",
              kinds: ["pass-at-k"],
              groups: [group.group.key],
            })}
          >
            <Check verdict={group.passVerdict} />
          </SoftLink>
        )}
      </td>
    </>
  );
}

/** The recorded figure; where none is recorded, the one computed from the trials, muted. */
function PassCell({ figure }: { figure: MetricLine["figure"] | null }) {
  const recomputed = figure?.recorded === null ? figure.recomputed : null;
  if (recomputed === null) return <FigureCell figure={figure} />;
  return (
    <td className="numeric muted" title="Computed from the trials; result.json records none">
      <ExactNumber shown={formatFigure(recomputed)} exact={recomputed} />
    </td>
  );
}

function explainIneligible({ group }: JobGroup): string {
  switch (group.passAtKIneligible) {
    case "several-reward-keys":
      return "No pass@k: Harbor computes it for a single reward key only";
    case "reward-not-0-or-1":
      return "No pass@k: Harbor computes it for rewards of 0 or 1 only";
    case "one-attempt":
      return "No pass@k: some task has a single attempt";
    case "no-trials":
      return "No pass@k: no trial has a result here";
    case null:
      return "No pass@k";
  }
}
