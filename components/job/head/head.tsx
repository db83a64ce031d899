import { Ellipsis } from "lucide-react";
import { Fragment, type ReactNode } from "react";

import { DownloadLinks, listFormats } from "@/components/jobs/download-menu";
import { LiveAge } from "@/components/shell/live-age";
import { Check, Stamp } from "@/components/ui/check";
import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Menu } from "@/components/ui/menu";
import { PartPager } from "@/components/ui/pager";
import { ShowAll } from "@/components/ui/show-all";
import { Tabs } from "@/components/ui/tabs";
import { TimeText } from "@/components/ui/time-text";
import { UncorrectedNote } from "@/components/verifier/correction";
import type { ClockTime } from "@/lib/core/domain/clock-time";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import { type JobTab, MOST_SHOWN_GROUPS } from "@/lib/core/domain/job-filter";
import { WORST_FIRST } from "@/lib/core/domain/trial";
import type { CheckVerdict } from "@/lib/core/domain/verification";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import {
  capitalise,
  formatVerdict,
  NONDETERMINISTIC_WORDS,
  OUTCOME_WORDS,
  SUSPECT_WORDS,
} from "@/lib/core/format/words";
import { groupRef } from "@/lib/pages/address/href";
import { conflictsHref } from "@/lib/pages/annotations/review-address";
import { compareParamsHref } from "@/lib/pages/compare/address";
import { partHref, jobPageHref, type JobParams } from "@/lib/pages/job/address";
import type { JobOverview } from "@/lib/pages/job/overview";
import type { JobPage } from "@/lib/pages/job/page";
import { artifactHref } from "@/lib/pages/trial/address";
import { trialsFileHref, trialsPageHref } from "@/lib/pages/trials/address";
import type { GroupCorrection } from "@/lib/pages/verifier/groups";

import { describeTrialCount, explainAbsentTrials } from "../trials/trial-count";
import { Cost, GroupFigures, GroupName, SettingsSwitch } from "./group-figures";
import { Waffle } from "./waffle";

import "./head.css";

/** Kinds of jobs that are not benchmarks, so their means rank no agent. */
const PURPOSE_WORDS = {
  benchmark: null,
  analysis:
    " Analysis of other trials by harbor analyze. A reward of 1 means that a valid report was written.",
  check: " Check of tasks by harbor check. A reward of 1 means that a valid report was written.",
} as const;

const LOUD: readonly CheckVerdict[] = ["mismatch", "unknown-rule", "incomplete"];
const VERIFIED: readonly CheckVerdict[] = ["exact", "ulp", "explained"];

const OFF_VERDICTS = ["mismatch", "unknown-rule", "incomplete", "ulp"] as const;

interface HeadProps {
  readonly page: JobPage;
  readonly params: JobParams;
  readonly overview: JobOverview;
}

export function JobHead({
  page,
  params,
  overview,
  corrected,
  rerun,
}: HeadProps & { corrected: readonly (GroupCorrection | null)[]; rerun: ReactNode }) {
  const { job, groups, shown } = page;
  const { isDivided } = params;
  const { key } = job;
  const [only] = groups.length === 1 ? groups : [];
  return (
    <>
      <div className="flow job-head">
        <div className="job-head-text">
          <h1 className="cut" title={job.name}>
            {job.name}
          </h1>
          <p className="muted">
            {only === undefined ? null : <GroupName jobKey={key} group={only} isDivided={isDivided} />}
            <JobSummary page={page} />
          </p>
        </div>
        {only === undefined ? null : (
          <GroupFigures jobKey={key} group={only} isDivided={isDivided} correction={corrected[0] ?? null} />
        )}
        {groups.length < 2 ? null : <Cost group={{ ...job, costPerPass: null }} />}
        <div className="flow job-head-actions">
          <Seal page={page} />
          {rerun}
          <MoreMenu page={page} params={params} overview={overview} />
        </div>
      </div>
      {only !== undefined || groups.length === 0 ? null : (
        <>
          <ul className="job-groups" aria-label="Evals groups of this job">
            {shown.groups.map((group, at) => (
              <li key={group.group.key}>
                <GroupName jobKey={key} group={group} isDivided={isDivided} />
                <GroupFigures
                  jobKey={key}
                  group={group}
                  isDivided={isDivided}
                  correction={corrected[at] ?? null}
                />
              </li>
            ))}
          </ul>
          <PartPager
            part={shown.part}
            size={MOST_SHOWN_GROUPS}
            noun="group"
            label="Pages of the groups"
            hrefOf={(groupsFrom) => jobPageHref(key, params, { groupsFrom, page: params.page })}
          />
        </>
      )}
      <SettingsSwitch page={page} params={params} />
      <UncorrectedNote
        groups={shown.groups.map(({ group: { agent, model } }, at) => ({
          name: only === undefined ? `${agent} ${model ?? ""}`.trim() : null,
          correction: corrected[at] ?? null,
        }))}
      />
      <p className="muted job-head-notes">
        {PURPOSE_WORDS[job.purpose]}
        <AbsentTrials job={job} />
        <JobDoubts page={page} />
        <CutFiles jobKey={key} files={page.cutFiles} />
        {job.state === "running" ? <LastChange at={job.updatedAt} /> : null}
      </p>
    </>
  );
}

function Seal({ page }: { page: JobPage }) {
  const { key, report } = page.job;
  const { verdict } = report;
  const off = OFF_VERDICTS.filter((one) => one === verdict);
  const href = jobPageHref(key, { tab: "verification", verdicts: off });
  const words = describeFigures(page);
  if (LOUD.includes(verdict)) return <Stamp verdict={verdict} words={words} href={href} />;
  return (
    <Link className="quiet" href={href} title={words}>
      <Check
        verdict={verdict}
        words={
          VERIFIED.includes(verdict) ? `${formatCount(page.nCompared)} verified` : formatVerdict(verdict)
        }
      />
    </Link>
  );
}

function MoreMenu({ page, params, overview }: HeadProps) {
  const { job, groups } = page;
  const refs = groups.slice(0, MAX_GROUPS).map(({ group }) => groupRef(job.key, group.key));
  const exported = params.tab === "trials" ? params : {};
  return (
    <Menu className="download-menu" look="button icon-only" icon={Ellipsis} name="More">
      <Link className="facet-option" href={compareParamsHref({ refs })}>
        Compare the groups of this job
      </Link>
      <Link className="facet-option" href={conflictsHref({ queue: null, jobs: [job.key] })}>
        Agreement of its reviewers
      </Link>
      <p className="caption">{params.tab === "trials" ? "Export trials as filtered" : "Export all trials"}</p>
      <DownloadLinks links={listFormats((format) => trialsFileHref(job.key, exported, format))} />
      {listTabs(page, overview)
        .filter(({ isEmpty }) => isEmpty)
        .map(({ id, label }) => (
          <Link key={id} className="facet-option" href={jobPageHref(job.key, { tab: id })}>
            {label} <span className="muted">none</span>
          </Link>
        ))}
    </Menu>
  );
}

function CutFiles({ jobKey, files }: { jobKey: string; files: readonly string[] }) {
  if (files.length === 0) return null;
  return (
    <>
      {" "}
      Some of its names, texts or lists are truncated:{" "}
      {files.map((file) => (
        <Fragment key={file}>
          <ShowAll href={artifactHref(jobKey, null, file)} file={file} /> of {file}
          {file === files.at(-1) ? "." : ", "}
        </Fragment>
      ))}
    </>
  );
}

function AbsentTrials({ job }: { job: JobPage["job"] }) {
  const words = explainAbsentTrials(job);
  if (words === null) return null;
  return (
    <>
      {" "}
      <Link href={partHref(job.key, "issues")}>{words}</Link>.
    </>
  );
}

/** A time without a known zone is shown as written: its age is unknown. */
function LastChange({ at }: { at: ClockTime | null }) {
  if (at === null) return null;
  return <> Last change {at.zoned ? <LiveAge time={at} /> : <TimeText time={at} />}.</>;
}

/** Counts the verdict, or each verdict if all figures are as recomputed. */
function describeFigures({ job: { report }, nCompared }: JobPage): string {
  const { verdict } = report;
  const counts: Partial<Record<CheckVerdict, number>> = report.counts;
  const of = `${formatCount(nCompared)} recorded ${nCompared === 1 ? "figure" : "figures"}`;
  const count = (one: CheckVerdict) => formatCount(counts[one] ?? nCompared);
  if (!VERIFIED.includes(verdict)) return `${capitalise(formatVerdict(verdict))}: ${count(verdict)} of ${of}`;
  const parts = VERIFIED.filter((one) => counts[one] !== 0).map(
    (one) => `${count(one)} ${formatVerdict(one)}`,
  );
  return `${of}: ${parts.join(", ")}`;
}

function JobSummary({ page }: { page: JobPage }) {
  const { job, groups, durationMs } = page;
  const { nTrials, nTasks, attempts, setupAttempts } = job;
  const isDivided = groups.length > job.groups.length;
  const isWhole = explainAbsentTrials(job) === null && job.state !== "running";
  const what = [
    isWhole && nTrials > 0 ? "" : describeTrialCount(job),
    nTrials === 0
      ? ""
      : `${formatPlural(nTasks, "task")}${describeAttempts(isDivided ? setupAttempts : attempts)}`,
    groups.length < 2 ? "" : formatPlural(job.groups.length, "agent"),
    isDivided ? `${formatPlural(groups.length, "group")} by setting` : "",
  ].filter((part) => part !== "");
  const [state, time] = describeState(job);
  return (
    <>
      {what.join(", ")}, {state}
      {time === undefined ? null : <TimeText time={time} />}
      {durationMs === null ? "" : `, ${formatDuration(durationMs)}`}
    </>
  );
}

function describeAttempts(attempts: JobPage["job"]["attempts"]): string {
  if (attempts === null) return "";
  const { min, max } = attempts;
  return min === max ? ` × ${min}` : ` × ${min} to ${max}`;
}

function describeState(job: JobPage["job"]): readonly [words: string, time?: ClockTime | null] {
  switch (job.state) {
    case "finished":
      return ["finished ", job.time.finishedAt];
    case "running":
      return ["running since ", job.time.startedAt];
    case "interrupted":
      return ["interrupted, last written ", job.updatedAt ?? job.time.startedAt];
    case "unknown":
      if (job.kind === "ledger") return ["ledger of aec-bench, last trial ", job.updatedAt];
      if (job.kind === "served") return ["rollouts of harbor serve"];
      return [job.kind === "loose" ? "trial folders without a job" : "no readable result.json"];
  }
}

function JobDoubts({ page: { doubts, job } }: { page: JobPage }) {
  const { nSuspects = 0, nNondeterministic = 0 } = doubts ?? {};
  const suspectsHref = trialsPageHref(job.key, { verifier: ["suspect"] });
  const parts = [
    { n: nSuspects, words: SUSPECT_WORDS.full, href: suspectsHref },
    { n: nNondeterministic, words: NONDETERMINISTIC_WORDS, href: partHref(job.key, "determinism") },
  ].filter(({ n }) => n > 0);
  return parts.map(({ n, words, href }) => (
    <span key={words} className="job-doubt">
      {" "}
      <Link href={href}>
        {formatPlural(n, "trial")}: {words}
      </Link>
      .
    </span>
  ));
}

interface ListedTab {
  readonly id: JobTab;
  readonly label: string;
  readonly count?: number;
  /** True if it has nothing to show, so that only the menu lists it. */
  readonly isEmpty?: boolean;
}

function listTabs({ job }: JobPage, overview: JobOverview): readonly ListedTab[] {
  const { nFailedTasks, hasDimensions, hasRubric, lineage } = overview;
  return [
    { id: "errors", label: "Failures", count: nFailedTasks, isEmpty: nFailedTasks === 0 },
    { id: "tasks", label: "Tasks", count: job.nTasks },
    { id: "trials", label: "Trials", count: job.nTrials, isEmpty: job.nTrials === 0 },
    { id: "dimensions", label: "Dimensions", isEmpty: !hasDimensions },
    { id: "rubric", label: "Rubric", isEmpty: !hasRubric },
    { id: "verification", label: "Score check", count: job.nFigures },
    { id: "lineage", label: "Regrades", isEmpty: lineage === null },
    { id: "config", label: "Config" },
  ];
}

export function JobTabs({ page, params, overview }: HeadProps) {
  const { tab: current, isDivided } = params;
  return (
    <div className="job-tabs">
      <Tabs
        label="Parts of this job"
        current={current}
        tabs={listTabs(page, overview)
          .filter(({ id, isEmpty = false }) => !isEmpty || id === current)
          .map(({ id, label, count = null }) => ({
            id,
            label,
            count,
            href: jobPageHref(page.job.key, { tab: id, isDivided }),
          }))}
      />
    </div>
  );
}

export function JobWaffle({ page: { job }, overview }: Pick<HeadProps, "page" | "overview">) {
  const { tasks, never, sometimes, always } = overview;
  if (tasks.length === 0) return null;
  const nShown = tasks.reduce((sum, { marks }) => sum + marks.length, 0);
  const shown = WORST_FIRST.map((outcome) => ({
    outcome,
    n: job.groups.reduce((sum, { counts }) => sum + counts[outcome], 0),
  })).filter(({ n }) => n > 0);
  return (
    <section className="section" aria-label="Every trial">
      <Waffle
        jobKey={job.key}
        tasks={tasks}
        groups={
          job.groups.length < 2
            ? []
            : job.groups.map(({ group }) => `${group.agent} ${group.model ?? ""}`.trim())
        }
        parts={[
          { patterns: ["never"], words: "tasks never passed", n: never },
          { patterns: ["flaky", "split"], words: "sometimes", n: sometimes },
          { patterns: ["always"], words: "always passed", n: always },
          { patterns: [null], words: "without a verdict", n: job.nTasks - never - sometimes - always },
        ]}
      >
        <div className="flow section-actions">
          {shown.map(({ outcome, n }) => (
            <Link
              key={outcome}
              className="quiet inline-row waffle-key"
              href={trialsPageHref(job.key, { outcomes: [outcome] })}
            >
              <span className="waffle-column" aria-hidden>
                <i className={`outcome-${outcome}`} />
              </span>
              <b>{formatCount(n)}</b> {OUTCOME_WORDS[outcome]}
            </Link>
          ))}
          <Link href={jobPageHref(job.key, { tab: "tasks" })}>Table</Link>
        </div>
      </Waffle>
      <CutNote shown={nShown} total={job.nTrials}>
        Tasks that fail most are drawn first.
      </CutNote>
    </section>
  );
}
