import type { ReactNode } from "react";

import { AgentName } from "@/components/ui/agent-name";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { formatCount } from "@/lib/core/format/number";
import { formatDay } from "@/lib/core/format/time";
import { capitalise, formatTask } from "@/lib/core/format/words";
import type { ClusterPage } from "@/lib/pages/clusters/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

const MOST_ROWS = 12;

interface CountRow {
  readonly key: string;
  readonly name: ReactNode;
  readonly nTrials: number;
  readonly nAttempts: number | null;
  readonly day?: string;
}

export function ClusterCounts({
  page: { byAgent, byJob, byTask, cluster },
  identityOf,
}: {
  page: ClusterPage;
  identityOf: (agent: string, model: string | null) => number;
}) {
  const agents = byAgent.map(({ of: { agent, model }, ...counts }) => ({
    key: JSON.stringify([agent, model]),
    name: <AgentName identity={identityOf(agent, model)} agent={agent} model={model} />,
    ...counts,
  }));
  const jobs = byJob.map(({ of: { jobKey, jobName, startedMs }, ...counts }) => ({
    key: jobKey,
    name: <Link href={trialsPageHref(jobKey, { clusters: [cluster.key] })}>{jobName}</Link>,
    day: formatDay(startedMs),
    ...counts,
  }));
  const tasks = byTask.map(([taskName, nTrials]) => ({
    key: taskName,
    name: formatTask({ taskName }),
    nTrials,
    nAttempts: null,
  }));
  return (
    <div className="cluster-counts">
      <CountTable title="By agent" rows={agents} />
      <CountTable title="By job" rows={jobs} />
      {tasks.length > 1 ? <CountTable title="By task" rows={tasks} /> : null}
    </div>
  );
}

function CountTable({ title, rows }: { title: string; rows: readonly CountRow[] }) {
  const hasAttempts = rows.some(({ nAttempts }) => nAttempts !== null);
  const columns: readonly DataColumn<CountRow>[] = [
    column(capitalise(title.replace("By ", "")), ({ name }) => name, { className: "name" }),
    { id: "day", header: "First seen", isFilled: ({ day }) => day !== undefined, cell: ({ day }) => day },
    column("Trials", ({ nTrials }) => formatCount(nTrials), { numeric: true }),
    {
      id: "attempts",
      header: "Of attempts",
      isFilled: ({ nAttempts }) => nAttempts !== null,
      meta: { numeric: true },
      cell: ({ nAttempts }) => formatCount(nAttempts),
    },
  ];
  const shown = rows.slice(0, MOST_ROWS);
  return (
    <Section title={title} note={hasAttempts ? "of all attempts at these tasks" : undefined}>
      <CutNote shown={shown.length} total={rows.length}>
        See the list of trials for all.
      </CutNote>
      <DataTable
        caption={title}
        className="table-compact"
        columns={columns}
        rows={shown}
        rowKey={({ key }) => key}
      />
    </Section>
  );
}
