import { SourceLinks } from "@/components/jobs/source-links";
import { DataTable } from "@/components/ui/data-table";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import type { DiffTask, JobDiff } from "@/lib/pages/job/diff";
import type { JobLineage } from "@/lib/pages/job/lineage";

import "../job-page.css";

const COLUMNS: readonly DataColumn<DiffTask>[] = [
  column("Task", ({ taskName, isAssumed }) => `${formatTask({ taskName })}${isAssumed ? "*" : ""}`, {
    className: "name",
  }),
  column("Task version", describeVersion, { className: "muted" }),
  column("Reused", ({ nReused }) => <Count value={nReused} />, {
    numeric: true,
    title: "Trials that exist only in the source job",
  }),
  column("Regraded", ({ nRegraded }) => <Count value={nRegraded} />, {
    numeric: true,
    title: "Rollouts of the source, re-verified",
  }),
  column("Rerun", ({ nRerun }) => <Count value={nRerun} />, {
    numeric: true,
    title: "Trials that were run again",
  }),
  column("Reason for the rerun", ({ reason }) => reason ?? <Unknown />, { className: "wrap" }),
];

const MOST_TASKS = 200;

export function JobDiffSection({ lineage, diff }: { lineage: JobLineage; diff: JobDiff }) {
  const { nReused, nRegraded, nRerun, tasks } = diff;
  return (
    <Section
      title="Difference from the source"
      note={`${formatCount(nReused)} reused, ${formatCount(nRegraded)} regraded, ${formatCount(nRerun)} rerun`}
    >
      <p className="job-lineage-line">
        The source is <SourceLinks sources={lineage.sources} />. Mean and pass@k of this job cover its{" "}
        {formatPlural(nRegraded + nRerun, "regraded and rerun trial")} only
        {nReused === 0
          ? "."
          : `; ${formatPlural(nReused, "reused one is", "reused ones are")} only in the source.`}
        {diff.isIncomplete
          ? " Fully reused tasks appear in no file of this job. Open the source to see them."
          : ""}
      </p>
      <DataTable
        caption="Reused, regraded and rerun trials by task"
        className="table-compact"
        columns={COLUMNS}
        rows={tasks.slice(0, MOST_TASKS)}
        rowKey={({ taskName }) => taskName}
      />
      <p className="caption table-note">{describeRest(diff)}</p>
    </Section>
  );
}

/** No file records the new version of a reused task; Harbor's rule allows the same or another patch version. */
function describeVersion({ sourceVersions, version, nRegraded, nRerun }: DiffTask): string {
  const before = sourceVersions.join(", ");
  if (nRegraded + nRerun === 0) return before === "" ? MISSING : `${before}, same or patch`;
  if (before === "" && version === null) return MISSING;
  return before === version ? before : `${before === "" ? MISSING : before} → ${version ?? MISSING}`;
}

function describeRest({ tasks }: JobDiff): string {
  const nMore = Math.max(0, tasks.length - MOST_TASKS);
  return [
    nMore === 0 ? "" : `The first ${formatCount(MOST_TASKS)} tasks are listed.`,
    "Derived from both jobs’ plans: a planned task without a trial here was reused.",
    tasks.some(({ isAssumed }) => isAssumed)
      ? "* The config names a dataset, not its tasks. A task removed from the dataset would look the same."
      : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}
