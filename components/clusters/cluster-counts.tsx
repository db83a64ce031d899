import type { ReactNode } from "react";

import { AgentName } from "@/components/ui/agent-name";
import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { type Column, Table } from "@/components/ui/table";
import { formatCount } from "@/lib/core/format/number";
import { formatDay } from "@/lib/core/format/time";
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
    name: taskName,
    nTrials,
    nAttempts: null,
  }));
  return (
    <div className="cluster-counts">
      <CountTable title="By agent" rows={agents} />
      <CountTable title="By job" rows={jobs} hasDays />
      {tasks.length > 1 ? <CountTable title="By task" rows={tasks} /> : null}
    </div>
  );
}

function CountTable({
  title,
  rows,
  hasDays = false,
}: {
  title: string;
  rows: readonly CountRow[];
  hasDays?: boolean;
}) {
  const hasAttempts = rows.some(({ nAttempts }) => nAttempts !== null);
  const columns: readonly Column[] = [
    { id: "name", label: title.replace("By ", "").replace(/^./u, (first) => first.toUpperCase()) },
    ...(hasDays ? [{ id: "day", label: "First seen" }] : []),
    { id: "trials", label: "Trials", numeric: true },
    ...(hasAttempts ? [{ id: "attempts", label: "Of attempts", numeric: true }] : []),
  ];
  const shown = rows.slice(0, MOST_ROWS);
  return (
    <Section title={title} note={hasAttempts ? "of all attempts at these tasks" : undefined}>
      <CutNote shown={shown.length} total={rows.length}>
        The list of trials has all.
      </CutNote>
      <Table caption={title} columns={columns} compact>
        <tbody>
          {shown.map(({ key, name, day, nTrials, nAttempts }) => (
            <tr key={key}>
              <td className="name">{name}</td>
              {hasDays ? <td>{day}</td> : null}
              <td className="numeric">{formatCount(nTrials)}</td>
              {nAttempts === null ? null : <td className="numeric">{formatCount(nAttempts)}</td>}
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
