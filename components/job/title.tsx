import { ChartNoAxesColumn, ChevronDown } from "lucide-react";
import { Fragment } from "react";

import { DownloadLinks } from "@/components/jobs/download-menu";
import { LiveAge } from "@/components/shell/live-age";
import { ButtonLink } from "@/components/ui/button";
import { Stamp } from "@/components/ui/check";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page-title";
import { ShowAll } from "@/components/ui/show-all";
import { TimeText } from "@/components/ui/time-text";
import type { ClockTime } from "@/lib/core/domain/clock-time";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import type { CheckVerdict } from "@/lib/core/domain/verification";
import { formatCost, formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { describeCopiedCost } from "@/lib/core/format/words";
import { groupRef } from "@/lib/pages/address/href";
import { partHref } from "@/lib/pages/address/part";
import { compareParamsHref } from "@/lib/pages/compare/address";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";
import type { JobPage } from "@/lib/pages/job/page";
import { artifactHref } from "@/lib/pages/trial/address";
import { trialsFileHref } from "@/lib/pages/trials/address";

import { JobDoubts } from "./figures/doubts";
import { describeTrialCount, explainAbsentTrials } from "./trials/trial-count";

/** Kinds of jobs that are not benchmarks, so their means rank no agent. */
const PURPOSE_WORDS = {
  benchmark: null,
  analysis:
    " Analysis of other trials by harbor analyze. A reward of 1 means that a valid report was written.",
  check: " Check of tasks by harbor check. A reward of 1 means that a valid report was written.",
} as const;

const OFF_VERDICTS = ["mismatch", "unknown-rule", "incomplete", "ulp"] as const;

export function JobTitle({ page, params }: { page: JobPage; params: JobParams }) {
  const job = page.job;
  const { report } = job;
  const refs = page.groups.slice(0, MAX_GROUPS).map(({ group }) => groupRef(job.key, group.key));
  const off = OFF_VERDICTS.filter((verdict) => verdict === report.verdict);
  return (
    <PageTitle
      title={job.name}
      summary={
        <>
          <JobSummary page={page} />
          {PURPOSE_WORDS[job.purpose]}
          <AbsentTrials job={page.job} />
          <JobDoubts page={page} />
          <CutFiles jobKey={job.key} files={page.cutFiles} />
          {job.state === "running" ? <LastChange at={job.updatedAt} /> : null}
        </>
      }
      actions={
        <>
          <Stamp
            verdict={report.verdict}
            words={describeStamp(report.verdict, page)}
            href={jobPageHref(job.key, { tab: "verification", verdicts: off })}
          />
          <ButtonLink href={compareParamsHref({ refs })} title="Compare the groups of this job">
            <ChartNoAxesColumn size={16} aria-hidden />
            Compare
          </ButtonLink>
          <details className="facet facet-end job-export download-menu" data-menu="">
            <summary className="button">
              Export
              <ChevronDown size={12} aria-hidden />
            </summary>
            <div className="facet-panel">
              <p className="caption">{params.tab === "trials" ? "Trials as filtered" : "All trials"}</p>
              <DownloadLinks
                hrefOf={(format) => trialsFileHref(job.key, params.tab === "trials" ? params : {}, format)}
              />
              <CopyButton text={page.place} label="Copy the folder's path">
                Copy the folder&rsquo;s path
              </CopyButton>
              <CopyButton text={job.name} label="Copy the job's name">
                Copy the job&rsquo;s name
              </CopyButton>
            </div>
          </details>
        </>
      }
    />
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

function describeStamp(verdict: CheckVerdict, { job, nCompared }: JobPage): string {
  const { counts } = job.report;
  const all = formatCount(nCompared);
  const figures = nCompared === 1 ? "recorded figure" : "recorded figures";
  switch (verdict) {
    case "exact":
      return `Scores verified, ${all} of ${all}`;
    case "ulp":
      return `Scores verified, ${formatCount(counts.ulp)} of ${all} except for the last bits`;
    case "explained":
      return `Scores verified, ${formatCount(counts.explained)} of ${all} explained`;
    case "mismatch":
      return `Mismatch: ${formatCount(counts.mismatch)} of ${all} ${figures}`;
    case "unknown-rule":
      return `Unknown rule (Harbor ${job.harborVersion ?? "?"}): ${formatCount(counts[verdict])} of ${all} ${figures}`;
    case "incomplete":
      return `Incomplete data for ${formatCount(counts.incomplete)} of ${all} ${figures}`;
    case "interim":
      return `Interim: ${all} ${figures} so far`;
    case "not-recorded":
      return "Nothing recorded to compare with";
  }
}

function JobSummary({ page }: { page: JobPage }) {
  const { job, groups } = page;
  const { nTrials, nTasks, attempts, setupAttempts } = job;
  const isDivided = groups.length > job.groups.length;
  const parts = [
    formatPlural(nTasks, "task"),
    formatPlural(job.groups.length, "agent"),
    isDivided ? `${formatPlural(groups.length, "group")} by setting` : "",
    describeAttempts(isDivided ? setupAttempts : attempts),
  ];
  const what = nTrials === 0 ? "" : `: ${parts.filter((part) => part !== "").join(", ")}`;
  const took = [formatSpan(page), describeCost(job)].filter((part) => part !== "");
  return (
    <>
      {`${describeTrialCount(job)}${what}. `}
      <JobStateWords job={job} />
      {took.map((part) => `, ${part}`).join("")}.
    </>
  );
}

function describeAttempts(attempts: JobPage["job"]["attempts"]): string {
  if (attempts === null) return "";
  if (attempts.min === attempts.max) return `${formatPlural(attempts.min, "attempt")} each`;
  return `${attempts.min} to ${attempts.max} attempts each`;
}

function JobStateWords({ job }: { job: JobPage["job"] }) {
  const [words, time] = describeState(job);
  return (
    <>
      {words}
      {time === undefined ? null : <TimeText time={time} />}
    </>
  );
}

function describeState(job: JobPage["job"]): readonly [words: string, time?: ClockTime | null] {
  switch (job.state) {
    case "finished":
      return ["Finished ", job.time.finishedAt];
    case "running":
      return ["Running since ", job.time.startedAt];
    case "interrupted":
      return ["Interrupted, last written ", job.updatedAt ?? job.time.startedAt];
    case "unknown":
      if (job.kind === "ledger") return ["Ledger of aec-bench, last trial ", job.updatedAt];
      if (job.kind === "served") return ["Rollouts of harbor serve"];
      return [job.kind === "loose" ? "Trial folders without a job" : "No readable result.json"];
  }
}

function formatSpan({ durationMs }: JobPage): string {
  return durationMs === null ? "" : formatDuration(durationMs);
}

function describeCost(job: JobPage["job"]): string {
  const { costUsd, nWithCost, nTrials } = job;
  if (costUsd === null) return "";
  const over = nWithCost === nTrials ? "" : ` over the ${formatPlural(nWithCost, "trial")} with a cost`;
  const copied = describeCopiedCost(job);
  return `$${formatCost(costUsd)}${over}${copied === null ? "" : ` (${copied})`}`;
}
