import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { PartPager } from "@/components/ui/pager";
import { UncorrectedNote } from "@/components/verifier/correction";
import { countAbsentTrials } from "@/lib/core/domain/job";
import { MOST_SHOWN_GROUPS } from "@/lib/core/domain/job-filter";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import type { Outcome } from "@/lib/core/domain/trial";
import { formatCount } from "@/lib/core/format/number";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";
import type { JobGroup, JobPage, MetricLine } from "@/lib/pages/job/page";
import type { GroupCorrection } from "@/lib/pages/verifier/groups";

import { type GroupLine, type GroupsView, listGroupColumns } from "./columns";
import { describeNoPassAtK, selectBounds } from "./group-cells";
import { SettingsSwitch } from "./group-settings";

import "../job-page.css";

const PLOT_WIDTH = 208;
const PLOT_WIDTH_MIN = 88;
const FEW_COLUMNS = 12;

/** More k do not fit; the verification tab has them all. */
const MAX_KS = 4;

/** Outcomes in column order. `always` ones show in every job, the others if any group has one. */
const OUTCOME_COLUMNS: readonly {
  readonly outcome: Outcome;
  readonly label: string;
  readonly always: boolean;
}[] = [
  { outcome: "passed", label: "Passed", always: true },
  { outcome: "failed", label: "Failed", always: true },
  { outcome: "partial", label: "Partial", always: false },
  { outcome: "errored", label: "Error", always: true },
  { outcome: "timeout", label: "Timeout", always: true },
  { outcome: "cancelled", label: "Cancelled", always: false },
  { outcome: "invalid", label: "Invalid", always: false },
  { outcome: "running", label: "Running", always: false },
  { outcome: "missing", label: "Missing", always: false },
  { outcome: "unreadable", label: "Unreadable", always: false },
  { outcome: "unscored", label: "Unscored", always: false },
];

function prepareView(page: JobPage, params: JobParams, isCorrected: boolean): GroupsView {
  const { groups } = page;
  const ks = page.ks.length <= MAX_KS ? page.ks : [...page.ks.slice(0, MAX_KS - 1), ...page.ks.slice(-1)];
  const outcomes = OUTCOME_COLUMNS.filter(
    ({ outcome, always }) => always || groups.some((group) => group.counts[outcome] > 0),
  );
  const hasKeys = groups.some(
    ({ metricLines }) => metricLines.length > 1 || metricLines.some((line) => line.metric !== "mean"),
  );
  const nColumns = 6 + (hasKeys ? 1 : 0) + (ks.length === 0 ? 0 : ks.length + 1) + outcomes.length;
  const nNarrower = Math.max(0, nColumns - FEW_COLUMNS) + (isCorrected ? 1 : 0);
  const plotWidth = Math.max(PLOT_WIDTH_MIN, PLOT_WIDTH - 36 * nNarrower);
  return { jobKey: page.job.key, isDivided: params.isDivided, ks, outcomes, hasKeys, plotWidth };
}

export function JobGroups({
  page,
  corrected,
  params,
}: {
  page: JobPage;
  corrected: readonly (GroupCorrection | null)[];
  params: JobParams;
}) {
  const isCorrected = corrected.some((one) => one !== null);
  const view = prepareView(page, params, isCorrected);
  return (
    <>
      <DataTable
        caption="Evals groups of this job"
        columns={listGroupColumns(view)}
        rows={page.shown.groups.flatMap((group, at) =>
          foldLines(group, page, params.allKeys).map((line) => ({
            ...line,
            correction: corrected[at] ?? null,
          })),
        )}
        rowKey={({ group, line }) => `${group.group.key} ${line?.figure.path ?? ""}`}
        rowClass={({ isLast }) => (isLast ? undefined : "continued")}
        below={({ isLast, nFolded }) =>
          isLast && nFolded !== null ? <Fold nFolded={nFolded} jobKey={view.jobKey} params={params} /> : null
        }
      />
      <PartPager
        part={page.shown.part}
        size={MOST_SHOWN_GROUPS}
        noun="group"
        label="Pages of the groups"
        hrefOf={(groupsFrom) => jobPageHref(page.job.key, params, { groupsFrom, page: params.page })}
      />
      <SettingsSwitch page={page} params={params} />
      <p className="caption table-note">{describeTable(page, view)}</p>
      <UncorrectedNote
        groups={page.shown.groups.map(({ group }, at) => ({
          name: page.groups.length === 1 ? null : nameGroup(group),
          correction: corrected[at] ?? null,
        }))}
      />
      {page.groups.some((group) => selectBounds(group) !== null) ? (
        <Methods>
          <p>
            Interval: 95 %, t (Wilson if few pass or fail), clustered by task: all attempts at a task count as
            one. {MISSING_RULES[page.job.kind === "ledger" ? "ledger" : page.job.scoringRule]}
          </p>
        </Methods>
      ) : null}
    </>
  );
}

function Fold({ nFolded, jobKey, params }: { nFolded: number; jobKey: string; params: JobParams }) {
  const { allKeys, page } = params;
  return (
    <>
      <Link href={jobPageHref(jobKey, params, { allKeys: !allKeys, page })} mode="replace">
        {allKeys ? "Fewer keys" : `${nFolded} more keys`}
      </Link>
      {allKeys && nFolded > 0 ? ` ${formatCount(nFolded)} more under Score check` : ""}
    </>
  );
}

/** Groups with more metric lines show the headline and mismatches only. */
const MAX_LINES = 3;
/** Lines of all groups, their bytes, and bytes of a line without its names; the figures tab pages through the rest. */
const MOST_TABLE_LINES = 600;
const MAX_LINES_BYTES = 1_000_000;
const LINE_BYTES = 2_000;

function foldLines(
  group: JobGroup,
  { job, shown: { groups } }: JobPage,
  areAllShown: boolean,
): readonly Omit<GroupLine, "correction">[] {
  const all = group.metricLines;
  const mostLines = Math.max(MAX_LINES, Math.floor(MOST_TABLE_LINES / groups.length));
  const wanted =
    areAllShown || all.length <= MAX_LINES ? all : all.filter((line, at) => at === 0 || !isQuiet(line));
  const fitting = takeFitting(
    wanted.slice(0, mostLines),
    MAX_LINES_BYTES / groups.length,
    ({ rewardKey, figure }) =>
      LINE_BYTES +
      countPageBytes(rewardKey ?? "") +
      countAddressBytes(figure.path) +
      countAddressBytes(job.key),
  );
  const nFolded = all.length > MAX_LINES ? all.length - fitting.length : null;
  const shown = fitting.length === 0 ? [null] : fitting;
  return shown.map((line, at) => ({
    group,
    line,
    isFirst: at === 0,
    isLast: at === shown.length - 1,
    nFolded,
  }));
}

function isQuiet({ figure }: MetricLine): boolean {
  return figure.verdict === "exact" || figure.verdict === "not-recorded";
}

const MISSING_RULES = {
  "harbor-0.25": "A missing reward counts as 0, as in Harbor up to 0.25.",
  "harbor-0.26": "Missing and invalid rewards are excluded, as in Harbor since 0.26.",
  ledger: "Trials without an evaluation are excluded, as in the ledger's own reports.",
} as const;

function nameGroup({ agent, model }: JobGroup["group"]): string {
  return model === null ? agent : `${agent} ${model}`;
}

function describeTable(page: JobPage, view: GroupsView): string {
  const { groups, ks } = page;
  const { attempts } = page.job;
  const areAllHere = countAbsentTrials(page.job.planned, page.job.nTrials) === 0;
  const left = OUTCOME_COLUMNS.filter(
    (column) => !view.outcomes.includes(column) && (areAllHere || column.outcome !== "missing"),
  ).map(({ label }) => label.toLowerCase());
  const unscored = groups.filter(({ headline, counts }) => headline === null && counts.invalid > 0);
  const parts = [
    unscored.length > 0
      ? `No valid reward, so no score: ${unscored.map(({ group }) => nameGroup(group)).join(", ")}.`
      : "",
    ks.length > 0
      ? `pass@k is Harbor's figure (rewards of 0 or 1${view.ks.length < ks.length ? `; ${ks.length - view.ks.length} more k under Score check` : ""}).`
      : attempts?.max === 1
        ? "No pass@k: one attempt per task."
        : listNoPassAtK(groups),
    left.length > 0 && groups.some((group) => group.nTrials > 0)
      ? `No trial is ${left.join(", ").replace(/, ([^,]*)$/, " or $1")}.`
      : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function listNoPassAtK(groups: JobPage["groups"]): string {
  const reasons = new Set(groups.flatMap(({ group }) => describeNoPassAtK(group) ?? []));
  return [...reasons].map((reason) => `${reason}.`).join(" ");
}
