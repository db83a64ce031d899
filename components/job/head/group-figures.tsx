import { AgentName } from "@/components/ui/agent-name";
import { Check } from "@/components/ui/check";
import { ExactNumber } from "@/components/ui/exact-number";
import { IntervalPlot } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { OutcomeBar } from "@/components/ui/outcome-bar";
import { Unknown } from "@/components/ui/values";
import { Correction } from "@/components/verifier/correction";
import { formatDifference, formatSettingName, formatSetup } from "@/lib/core/format/agent-settings";
import { formatFigure } from "@/lib/core/format/figure";
import {
  describeMean,
  formatCost,
  formatCount,
  formatMissingCosts,
  formatReward,
} from "@/lib/core/format/number";
import { describeCopiedCost } from "@/lib/core/format/words";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";
import type { JobGroup, JobPage, MetricLine } from "@/lib/pages/job/page";
import { trialsPageHref } from "@/lib/pages/trials/address";
import type { GroupCorrection } from "@/lib/pages/verifier/groups";

import { formatBounds, selectBounds } from "../group-cells";

const PLOT_WIDTH = 150;

interface GroupProps {
  readonly jobKey: string;
  readonly group: JobGroup;
  readonly isDivided: boolean;
  readonly correction: GroupCorrection | null;
}

export function GroupFigures({ jobKey, group, isDivided, correction }: GroupProps) {
  const { counts, nTrials } = group;
  const trials = { groups: [group.group.key], isDivided };
  return (
    <>
      <div className="job-figure">
        <Mean group={group} />
        <MeanNotes jobKey={jobKey} group={group} correction={correction} />
      </div>
      <div className="job-figure">
        <Link className="caption quiet" href={trialsPageHref(jobKey, trials)}>
          {nTrials === 0 ? "No trials" : `${formatCount(counts.passed)} passed of ${formatCount(nTrials)}`}
        </Link>
        <span className="row">
          <OutcomeBar counts={counts} />
        </span>
      </div>
      <Cost group={group} />
    </>
  );
}

function Mean({ group }: { group: JobGroup }) {
  const [line] = group.metricLines;
  const { bounds, mean, title } = readInterval(group, line);
  const recorded = line?.figure.recorded ?? null;
  const isOther = mean !== null && recorded !== null && formatReward(Number(recorded)) !== formatReward(mean);
  const mark =
    bounds === null || mean === null
      ? null
      : { value: mean, low: bounds.low, high: bounds.high, identity: group.identity };
  return (
    <>
      <span className="caption" title={title}>
        {nameLine(group, line)}
        {bounds === null ? "" : `, ${isOther ? `${formatReward(mean)} ` : ""}${formatBounds(bounds)}`}
      </span>
      <span className="row job-mean">
        <b>
          <Figure figure={line?.figure ?? null} />
        </b>
        <IntervalPlot title={title} width={PLOT_WIDTH} mark={mark} />
      </span>
    </>
  );
}

function MeanNotes({ jobKey, group, correction }: Omit<GroupProps, "isDivided">) {
  const [line] = group.metricLines;
  const nMore = group.metricLines.length - 1;
  const mean = group.interval.kind === "computed" ? group.interval.mean : null;
  return (
    <>
      <FigureCheck figure={line?.figure ?? null} jobKey={jobKey} />
      {nMore < 1 ? null : (
        <Link className="caption" href={jobPageHref(jobKey, { tab: "verification", kinds: ["metric"] })}>
          {nMore} more {nMore === 1 ? "key" : "keys"}
        </Link>
      )}
      {correction === null ? null : (
        <span className="caption">
          Corrected <Correction correction={correction} mean={mean} />
        </span>
      )}
    </>
  );
}

export function GroupName({ jobKey, group, isDivided }: Omit<GroupProps, "correction">) {
  const { agent, model, key } = group.group;
  return (
    <span className="job-group-name">
      <Link
        className="quiet"
        href={trialsPageHref(jobKey, { groups: [key], isDivided })}
        title={`Trials of ${key}`}
      >
        <AgentName identity={group.identity} agent={agent} model={model} />
      </Link>
      <SettingsWords group={group} />
    </span>
  );
}

function nameLine({ counts }: JobGroup, line: MetricLine | undefined): string {
  if (line === undefined) return counts.invalid > 0 ? "No valid reward" : "Mean reward";
  const { rewardKey, metric } = line;
  if (rewardKey === null) return metric === "mean" ? "Mean reward" : metric;
  return metric === "mean" ? `Mean ${rewardKey}` : `${rewardKey} ${metric}`;
}

type CostProps = Pick<JobGroup, "costUsd" | "costPerPass" | "nWithCost" | "nTrials" | "regraded">;

export function Cost({ group }: { group: CostProps }) {
  const { costUsd, costPerPass, nWithCost, nTrials } = group;
  const missing = formatMissingCosts(nTrials - nWithCost, nTrials);
  const copied = describeCopiedCost(group);
  return (
    <div className="job-figure">
      <span className="caption" title="Cost per passed trial, over trials of known cost">
        Cost{costPerPass === null ? "" : `, $${formatCost(costPerPass)} per pass`}
      </span>
      <span className="row nowrap">
        {costUsd === null ? <span className="muted">not recorded</span> : `$${formatCost(costUsd)}`}
        <span className="caption">
          {costUsd === null ? null : missing} {copied}
        </span>
      </span>
    </div>
  );
}

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

function readInterval(group: JobGroup, line: MetricLine | undefined) {
  const { interval, headline, basis } = group;
  const isHeadline = line?.metric === "mean" && (line.rewardKey ?? line.metric) === headline?.key;
  const bounds = isHeadline ? selectBounds(group) : null;
  const mean = isHeadline && interval.kind === "computed" ? interval.mean : null;
  const title = bounds === null || mean === null ? basis : `${describeMean(mean, bounds)}: ${basis}`;
  return { bounds, mean, title };
}

function FigureCheck({ figure, jobKey }: { figure: MetricLine["figure"] | null; jobKey: string }) {
  if (figure === null || figure.verdict === "exact" || figure.verdict === "not-recorded") return null;
  const { path, reason, verdict, ulps, recorded, recomputed } = figure;
  return (
    <span className="row">
      <Link
        className="quiet inline-row job-recomputed"
        href={jobPageHref(jobKey, { tab: "verification", figure: path })}
        title={reason ?? undefined}
      >
        <Check verdict={verdict} ulps={ulps} />
      </Link>
      {recorded === null || recomputed === null ? null : (
        <ExactNumber shown={formatFigure(recomputed)} exact={recomputed} />
      )}
    </span>
  );
}

function SettingsWords({ group: { setup, setups } }: { group: Pick<JobGroup, "setup" | "setups"> }) {
  if (setup !== null) return <span className="cut group-settings muted">{formatSetup(setup)}</span>;
  if (setups === null) return null;
  const { differences } = setups;
  return (
    <span className="cut group-settings" title={differences.map(formatDifference).join("\n")}>
      <b>Settings differ</b>{" "}
      <span className="muted">{differences.map(({ name }) => formatSettingName(name)).join(", ")}</span>
    </span>
  );
}

export function SettingsSwitch({ page, params }: { page: JobPage; params: JobParams }) {
  const { key } = page.job;
  const mixed = page.job.groups.filter(({ setups }) => setups !== null);
  if (mixed.length === 0) return null;
  const canSplit = mixed.some(({ setups }) => (setups?.parts.length ?? 0) > 0);
  return (
    <p className="group-settings-switch">
      {params.isDivided
        ? "Split by agent setting. Harbor records whole groups; Score check verifies those."
        : describeMixed(mixed)}{" "}
      {canSplit ? (
        <Link href={jobPageHref(key, params, { isDivided: !params.isDivided, groups: [] })} mode="replace">
          {params.isDivided ? "Show groups as recorded" : "Split by setting"}
        </Link>
      ) : (
        <span className="muted">Too many settings to split by.</span>
      )}
    </p>
  );
}

function describeMixed(groups: JobPage["job"]["groups"]): string {
  const words = groups.map(({ group, setups }) => {
    const differences = (setups?.differences ?? []).map(formatDifference).join("; ");
    return groups.length === 1 ? differences : `${group.agent} ${group.model ?? ""}: ${differences}`;
  });
  return `Trials with different agent settings share a group (${words.join(". ")}), because Harbor's groups leave settings out.`;
}
