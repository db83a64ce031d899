import type { ReactNode } from "react";

import { ForAction } from "@/components/shell/account-context";
import { describeSignalPlace, linkSignal, describeWin } from "@/components/triage/triage-words";
import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { PageTitle, Section } from "@/components/ui/page-title";
import { Preformatted } from "@/components/ui/preformatted";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TableSection } from "@/components/ui/table-section";
import { Unknown } from "@/components/ui/values";
import { sumBy } from "@/lib/core/domain/sum-by";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDay } from "@/lib/core/format/time";
import { formatTask, capitalise, OUTCOME_WORDS, SIGNAL_WORDS } from "@/lib/core/format/words";
import { newQueueHref } from "@/lib/pages/annotations/review-address";
import type { Cluster } from "@/lib/pages/clusters/clusters";
import type { ClusterPage, ClusterMember, MemberGroup } from "@/lib/pages/clusters/page";
import type { IdentityOf } from "@/lib/pages/shell/catalog";
import { triageHref } from "@/lib/pages/triage/address";
import type { TriagePage } from "@/lib/pages/triage/page";
import { trialPageHref } from "@/lib/pages/trial/address";
import { trialsPageHref, writeTrialsList } from "@/lib/pages/trials/address";

import { ClusterName } from "./cluster-name";

export function ClusterTitle({ page }: { page: ClusterPage }) {
  const { cluster, named } = page;
  const list = { isOfAllJobs: true, clusters: [cluster.key] } as const;
  const history = named?.history ?? [];
  return (
    <>
      <PageTitle
        title={nameOf(cluster)}
        summary={summarise(page)}
        actions={
          <>
            <ButtonLink href={trialsPageHref(null, list)}>List trials</ButtonLink>
            <ForAction action="makeQueueAction">
              <ButtonLink href={newQueueHref({ list: writeTrialsList(list) })}>New queue</ButtonLink>
            </ForAction>
          </>
        }
      />
      <ClusterName
        clusterKey={cluster.key}
        name={cluster.name}
        base={history.at(-1)?.seq ?? 0}
        history={history.toReversed()}
      />
    </>
  );
}

/** The page of causes, which also dismisses one, is about a single dataset: that with most of its trials. */
export function ClusterRank({ clusterKey, triage }: { clusterKey: string; triage: TriagePage }) {
  const { findings, causes, rest } = triage;
  const rows = causes.filter((row) => row.clusterKey === clusterKey);
  const nAll = findings.length + rest.nFindings;
  if (rows.length === 0)
    return (
      <p className="muted">
        Not in the first {findings.length} of {nAll} <Link href={triageHref({})}>causes</Link>.
      </p>
    );
  return (
    <ul className="cluster-ranks" aria-label="Rank among causes">
      {rows.map(({ key, failures, win, dismissal }) => {
        const counts = [...sumBy(failures, ({ dataset }) => dataset)].toSorted(([, a], [, b]) => b - a);
        const rank = findings.findIndex((row) => row.key === key) + 1;
        return (
          <li key={key} className="row">
            <Link href={triageHref({ datasets: counts.slice(0, 1).map(([id]) => id), open: key })}>
              {dismissal === null ? `Rank ${String(rank)} of ${String(nAll)}` : "Dismissed"}
            </Link>{" "}
            {dismissal !== null
              ? `by ${dismissal.author}: “${dismissal.reason}”`
              : win.kind === "unavailable" && win.reason === "several-datasets"
                ? "by number of trials"
                : `by expected gain: ${describeWin(win)}`}
          </li>
        );
      })}
    </ul>
  );
}

export function ClusterExample({ page }: { page: ClusterPage }) {
  const { example, cluster, pattern } = page;
  const { signal } = example;
  const names = nameSlots(pattern.filter((_, at) => at % 2 === 1));
  return (
    <Section
      title="Typical example"
      note={
        <>
          <Link href={trialPageHref(example.jobKey, example.key, signal === null ? {} : linkSignal(signal))}>
            {formatTask(example)}, attempt {example.attempt}
          </Link>{" "}
          in {example.jobName}
        </>
      }
    >
      {signal === null ? (
        <p className="muted">Its files show no reason.</p>
      ) : (
        <>
          <p className="caption">
            {describeKind(cluster)}: {describeSignalPlace(signal)}
          </p>
          <Preformatted className="pre-wrap sunken cluster-text">{signal.text}</Preformatted>
        </>
      )}
      <p className="cluster-pattern">
        <span className="muted">Pattern</span>{" "}
        <code>
          {pattern.map((part, at) =>
            at % 2 === 0 ? (
              part
            ) : (
              <span key={at} className="cluster-slot">
                {names[(at - 1) / 2]}
              </span>
            ),
          )}
        </code>
      </p>
    </Section>
  );
}

interface CountRow {
  readonly key: string;
  readonly name: ReactNode;
  readonly nTrials: number;
  readonly nAttempts: number | null;
  readonly day?: string;
}

interface CountsProps {
  readonly page: ClusterPage;
  readonly identityOf: IdentityOf;
}

export function ClusterCounts({ page: { byAgent, byJob, byTask, cluster }, identityOf }: CountsProps) {
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
  return (
    <TableSection
      title={title}
      note={hasAttempts ? "of all attempts at these tasks" : undefined}
      most={12}
      cut="See the list of trials for all."
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
    />
  );
}

const MOST_SLOTS = 6;

const GROUP_WORDS: Readonly<Record<MemberGroup["kind"], string>> = {
  pattern: "More than the values differ",
  values: "Different values",
  same: "Same as the example",
};

interface MemberLine {
  readonly kind: MemberGroup["kind"];
  readonly n: number;
  readonly member: ClusterMember;
}

export function ClusterMembers({ page: { groups, pattern, cluster }, identityOf }: CountsProps) {
  const members = groups.flatMap((group) => group.members);
  const slots = nameSlots(pattern.filter((_, at) => at % 2 === 1))
    .map((name, at) => ({ name, at }))
    // Values equal in all members add nothing.
    .filter(({ at }) => members.some(({ different }) => different.has(at)))
    .slice(0, MOST_SLOTS);
  const list = writeTrialsList({ isOfAllJobs: true, clusters: [cluster.key] });
  const lines = groups.flatMap(({ kind, members: own }) =>
    own.map((member) => ({ kind, n: own.length, member })),
  );
  return (
    <TableSection<MemberLine>
      title="Members"
      note={slots.length === 0 ? undefined : "underlined where a value differs from the example"}
      cut="See the list of trials for all."
      columns={[
        column(
          "Trial",
          ({ member }) => (
            <span className="row">
              <Mark status={member.outcome} label={OUTCOME_WORDS[member.outcome]} />
              <Link href={trialPageHref(member.jobKey, member.key, { list })} data-row-link="">
                {formatTask(member)}, attempt {member.attempt}
              </Link>
              <span className="muted">{member.jobName}</span>
            </span>
          ),
          { className: "name" },
        ),
        column("Agent", ({ member: { agent, model } }) => (
          <AgentName identity={identityOf(agent, model)} agent={agent} model={model} />
        )),
        ...slots.map(slotColumn),
        column("Reward", ({ member }) => member.rewardText ?? <Unknown />, { numeric: true }),
      ]}
      rows={lines}
      rowKey={({ member }) => `${member.jobKey}/${member.key}`}
      heading={({ kind, n }, at) =>
        kind === lines[at - 1]?.kind ? null : (
          <>
            {GROUP_WORDS[kind]} <span className="muted">{formatCount(n)}</span>
          </>
        )
      }
    />
  );
}

function slotColumn({ name, at }: { name: string; at: number }): DataColumn<MemberLine> {
  return {
    id: `slot-${String(at)}`,
    header: name,
    meta: { className: "cluster-value" },
    attributes: ({ member }) => ({ title: member.values?.[at] }),
    cell: ({ member: { values, different } }) => {
      const value = values?.[at];
      if (value === undefined) return <Unknown />;
      const text = cutAt(value, 48);
      return different.has(at) ? <b>{text}</b> : <span className="muted">{text}</span>;
    },
  };
}

/** A pattern is cut where it serves as a name. */
export function nameOf({ name, pattern }: Pick<Cluster, "name" | "pattern">): string {
  return name ?? cutAt(pattern, 100);
}

function cutAt(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

function describeKind({ kind }: Pick<Cluster, "kind">): string {
  if (kind === "dimensions") return "Failed dimensions";
  return kind === "outcome" ? "Outcome alone" : SIGNAL_WORDS[kind];
}

function summarise({ cluster, byAgent, byJob, byTask }: ClusterPage): string {
  const [task] = byTask;
  const tasks =
    byTask.length === 1 && task !== undefined ? `task ${task[0]}` : formatPlural(byTask.length, "task");
  const counts = `${formatPlural(cluster.nTrials, "trial")} of ${formatPlural(byAgent.length, "agent")} in ${formatPlural(byJob.length, "job")}, ${tasks}.`;
  const { firstSeenMs, lastSeenMs } = cluster;
  if (firstSeenMs === null) return `${counts} Dates unknown.`;
  return `${counts} First seen ${formatDay(firstSeenMs)}, last seen ${formatDay(lastSeenMs)}.`;
}

function nameSlots(kinds: readonly string[]): readonly string[] {
  return kinds.map((kind, at) => {
    if (kinds.indexOf(kind) === kinds.lastIndexOf(kind)) return kind;
    return `${kind} ${formatCount(kinds.slice(0, at + 1).filter((one) => one === kind).length)}`;
  });
}
