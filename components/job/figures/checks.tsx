import { SensitivityTable } from "@/components/sensitivity/sensitivity-table";
import { AgentName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import type { RuleScore } from "@/lib/core/comparison";
import type { LostPart } from "@/lib/core/domain/lost-part";
import { SCORING_WORDS } from "@/lib/core/domain/scoring-choice";
import { EMPTY_DIGEST } from "@/lib/core/domain/verifier-check";
import { explainLost, formatLostCost, LOST_WORDS } from "@/lib/core/format/lost-words";
import { formatCount, formatPlural, formatReward, MISSING } from "@/lib/core/format/number";
import { formatTask, UNCOMPARED_WORDS } from "@/lib/core/format/words";
import { PARTS } from "@/lib/pages/job/address";
import type { GroupRuleScores } from "@/lib/pages/job/figures";
import type { JobPage } from "@/lib/pages/job/page";
import type { DeterminismPanel } from "@/lib/pages/job/verifier-checks";
import type { GroupSensitivity } from "@/lib/pages/sensitivity/job";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { DerivedDetailsOutdated, DerivedDetailsReading } from "../derived-details-reading";
import { findGroup } from "../group-cells";

import "../job-page.css";

const MAX_ROWS = 24;

export function JobRuleScores({ page, scores }: { page: JobPage; scores: readonly GroupRuleScores[] }) {
  const rules = scores[0]?.scores;
  if (rules === undefined) return null;
  const areEqual = scores.every(({ scores: own }) => new Set(own.map(formatMean)).size === 1);
  const recorded = rules.find(({ isRecorded }) => isRecorded);
  if (areEqual)
    return (
      <Section
        title="Score by rule"
        note={recorded && `Recorded by ${SCORING_WORDS[recorded.rule]}; every rule gives the same scores`}
      >
        {null}
      </Section>
    );
  const rows = scores.flatMap(({ groupKey, scores: own }) => {
    const found = findGroup(page.groups, groupKey);
    return found === undefined ? [] : [{ ...found, own }];
  });
  type Row = (typeof rows)[number];
  const columns: readonly DataColumn<Row>[] = [
    column("Group", ({ group, identity }) => <AgentName {...group} identity={identity} />, {
      className: "name",
    }),
    ...rules.map(({ rule, isRecorded }, at) =>
      column<Row>(
        isRecorded ? `${SCORING_WORDS[rule]}, recorded` : SCORING_WORDS[rule],
        ({ own }) => <Score score={own[at]} />,
        { numeric: true },
      ),
    ),
  ];
  return (
    <Section title="Score by rule">
      <DataTable
        caption="Score of each group under each scoring rule"
        columns={columns}
        rows={rows.slice(0, MAX_ROWS)}
        rowKey={({ group }) => group.key}
      />
      <p className="caption table-note">
        Mean reward over the trials that each rule counts. Bold: the rule that wrote this job.
        {rows.length > MAX_ROWS ? ` ${formatCount(rows.length - MAX_ROWS)} more groups are not shown.` : ""}
      </p>
    </Section>
  );
}

function Score({ score }: { score: RuleScore | undefined }) {
  if (score === undefined) return null;
  return (
    <>
      {score.isRecorded ? <b>{formatMean(score)}</b> : formatMean(score)}{" "}
      <span className="muted">{formatPlural(score.nCounted, "trial")}</span>
    </>
  );
}

function formatMean({ result }: RuleScore): string {
  return result.kind === "computed" ? formatReward(result.mean) : MISSING;
}

export function JobSensitivity({
  page,
  sensitivity,
}: {
  page: JobPage;
  sensitivity: readonly GroupSensitivity[];
}) {
  const rows = sensitivity.flatMap(({ groupKey, line }) => {
    const found = findGroup(page.groups, groupKey);
    if (found === undefined) return [];
    const { identity, group } = found;
    return [{ id: groupKey, name: <AgentName {...group} identity={identity} />, identity, line }];
  });
  return rows.length === 0 ? null : (
    <Section title="Sensitivity of the score">
      <SensitivityTable heading="Group" rows={rows} />
    </Section>
  );
}

const LOST_COLUMNS: readonly DataColumn<LostPart>[] = [
  column("Work", ({ kind }) => LOST_WORDS[kind], { className: "name", isRowHeader: true }),
  column("Count", ({ n }) => formatCount(n), { numeric: true }),
  column(
    "Cost, $",
    (part) => (part.costUsd === null ? <Unknown title="No file records its cost" /> : formatLostCost(part)),
    { numeric: true, title: "Recorded tokens and cost" },
  ),
  column("What is known", (part) => `${explainLost(part)}.`, { className: "wrap" }),
];

export function JobLostWork({ parts }: { parts: readonly LostPart[] }) {
  return parts.length === 0 ? null : (
    <Section title="Lost work" note="Retried, cancelled, missing, or unlike result.json">
      <DataTable
        caption="Lost work of this job"
        columns={LOST_COLUMNS}
        rows={parts}
        rowKey={({ kind }) => kind}
      />
    </Section>
  );
}

type Group = DeterminismPanel["groups"][number];
type Member = Group["trials"][number];

export function JobDeterminism({ page, panel }: { page: JobPage; panel: DeterminismPanel }) {
  const { state, nChecked, nDisagreeing } = panel;
  const place = { id: PARTS.determinism, title: "Same output, same reward" };
  if (state === "reading" && nChecked === 0)
    return (
      <Section {...place}>
        <DerivedDetailsReading what="Outputs" />
      </Section>
    );
  const { key } = page.job;
  return (
    <Section
      {...place}
      note={`${formatCount(nChecked)} of ${formatPlural(page.job.nTrials, "trial")} checked`}
      actions={
        nDisagreeing === 0 ? undefined : (
          <Link href={trialsPageHref(key, { verifier: ["nondeterministic"] })}>
            {formatPlural(nDisagreeing, "trial")}
          </Link>
        )
      }
    >
      {state === "reading" ? <DerivedDetailsOutdated /> : null}
      <p className={nDisagreeing === 0 ? "muted" : "job-doubt-line"}>{describeResult(panel)}</p>
      {panel.groups.length === 0 ? null : (
        <DataTable
          caption="Outputs that got different rewards"
          columns={listColumns(key)}
          rows={panel.groups}
          rowKey={({ digest, trials }) => `${digest} ${trials[0]?.taskName}`}
        />
      )}
      <p className="caption table-note">{describeRest(panel)}</p>
      <Methods>
        <p>
          An output is agent/output.md or output.jsonl, otherwise the files listed by the manifest of
          artifacts without logs. Rewards are compared in all keys, as Python compares them.
        </p>
      </Methods>
    </Section>
  );
}

function describeResult({ nChecked, nShared, nDisagreeing, nGroups }: DeterminismPanel): string {
  if (nChecked === 0) return "No trial has the output, task digest and reward needed for a comparison.";
  if (nShared === 0) return "Every output of a task is unique, so there is nothing to compare.";
  const shared = `${formatPlural(nShared, "trial shares", "trials share")} an output with another trial of the same task, here or in another job`;
  if (nDisagreeing === 0) return `${shared}, and all of them got the same reward.`;
  return `${shared}; ${formatCount(nDisagreeing)} of these got different rewards for ${formatPlural(nGroups, "output")}: the verifier is not deterministic.`;
}

function describeRest({ uncompared, groups, nGroups, nJobsToRead }: DeterminismPanel): string {
  const left = uncompared.map(
    ({ reason, nTrials }) => `${formatPlural(nTrials, "trial")} ${UNCOMPARED_WORDS[reason]}`,
  );
  return [
    nGroups > groups.length ? `The first ${formatCount(groups.length)} outputs are listed.` : "",
    left.length === 0 ? "" : `Not compared: ${left.join(", ")}.`,
    nJobsToRead === 0
      ? ""
      : `The outputs of ${formatPlural(nJobsToRead, "other job is", "other jobs are")} not read yet.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function listColumns(jobKey: string): readonly DataColumn<Group>[] {
  return [
    column(
      "Task",
      ({ trials: [first] }) =>
        first && (
          <Link
            href={trialsPageHref(jobKey, { tasks: [first.taskName], verifier: ["nondeterministic"] })}
            data-row-link=""
          >
            {formatTask(first)}
          </Link>
        ),
      { className: "name" },
    ),
    column(
      "Output",
      ({ digest, trials }) => (
        <code title={`${digest}, ${trials[0]?.outputPath ?? ""}`}>
          {digest === EMPTY_DIGEST ? "empty" : digest.slice(0, 10)}
        </code>
      ),
      { title: "First digits of its SHA-256" },
    ),
    column("Trials", ({ nTrials }) => formatCount(nTrials), { numeric: true }),
    column("Rewards", ({ trials }) => listRewards(trials).join(" or "), { className: "wrap" }),
  ];
}

function listRewards(trials: readonly Member[]): readonly string[] {
  const keys = new Set(trials.flatMap(({ rewards }) => rewards.map(([key]) => key)));
  const textOf = ({ rewards }: Member, key: string) => rewards.find(([one]) => one === key)?.[1];
  const differing = [...keys].filter((key) => new Set(trials.map((trial) => textOf(trial, key))).size > 1);
  const byReward = Map.groupBy(trials, ({ rewards }) => {
    if (rewards.length === 1) return rewards[0]?.[1] ?? "";
    const shown = rewards.filter(([key]) => differing.includes(key));
    return shown.map(([key, text]) => `${key} ${text}`).join(", ");
  });
  return Array.from(
    byReward,
    ([reward, own]) =>
      `${reward} (${own.map(({ agent, attempt, jobName }) => `${agent} ${attempt} in ${jobName}`).join(", ")})`,
  );
}
