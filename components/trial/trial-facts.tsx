import type { ReactNode } from "react";

import { Check } from "@/components/ui/check";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { type DataColumn, column } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import { Unknown } from "@/components/ui/values";
import { type ClockInterval, type ClockTime, computeDurationMs } from "@/lib/core/domain/clock-time";
import { type Spender, readCost } from "@/lib/core/domain/spending";
import { type StepRecord, sumTokens } from "@/lib/core/domain/trial";
import { formatSettingName, formatSettingValue } from "@/lib/core/format/agent-settings";
import { MISSING, formatCost, formatCount } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { openTrialHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import { ShowAllOf, type ShownTrial } from "./trial-parts";

export function TrialFacts({ page }: { page: ShownTrial }) {
  const { job, trial } = page;
  const { phases, simulatedUser: user } = trial;
  return (
    <div className="facts">
      <FactList
        title="Identity"
        facts={[
          ["Trial", trial.trialName],
          ["Trial id", trial.id],
          ["Job", job.name],
          ["Job id", trial.jobUuid],
          ["Dataset", trial.source],
          ["Task digest", trial.taskDigest],
          ["Agent version", trial.agentVersion],
          ["Model provider", trial.provider],
        ]}
      />
      <FactList
        title="Time"
        facts={[
          ["Started", drawTime(trial.time.startedAt)],
          ["Finished", drawTime(trial.time.finishedAt)],
          ["Whole trial", describeInterval(trial.time)],
          ["Environment set-up", describeInterval(phases.environmentSetup)],
          ["Agent set-up", describeInterval(phases.agentSetup)],
          ["Agent", describeInterval(phases.agentExecution)],
          ["Verifier", describeInterval(phases.verifier)],
        ]}
      />
      <FactList
        title={trial.sourceTrial === null ? "Tokens and cost" : "Tokens and cost of the source"}
        facts={listUsage(trial)}
      />
      {user === null ? null : (
        <FactList
          title="Simulated user"
          facts={[["Agent", user.agent], ["Model", user.model], ...listUsage(user)]}
        />
      )}
      {trial.settings === null || trial.settings.length === 0 ? null : (
        <FactList
          title="Agent settings"
          facts={trial.settings.map(({ name, value }) => [
            formatSettingName(name),
            formatSettingValue(value),
          ])}
        />
      )}
      <LedgerFacts page={page} />
    </div>
  );
}

type Fact = readonly [string, ReactNode];

function drawTime(time: ClockTime | null): ReactNode {
  return time === null ? null : <TimeText time={time} precision="second" />;
}

function listUsage(spender: Spender): readonly Fact[] {
  const { inputTokens, cacheTokens, outputTokens } = spender.tokens;
  const costUsd = readCost(spender);
  return [
    ["Input, cache included", countOrNull(inputTokens)],
    ["Of these from cache", countOrNull(cacheTokens)],
    ["Output", countOrNull(outputTokens)],
    ["Cost", costUsd === null ? null : `$${costUsd}`],
  ];
}

function describeInterval(interval: ClockInterval | null): string | null {
  const durationMs = computeDurationMs(interval);
  return durationMs === null ? null : formatDuration(durationMs);
}

function countOrNull(count: number | null): string | null {
  return count === null ? null : formatCount(count);
}

function FactList({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {facts.length === 0 ? (
        <p className="muted">{MISSING}</p>
      ) : (
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={value === null ? "muted" : ""}>{value ?? MISSING}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function LedgerFacts({ page: { at, ledger, search } }: { page: ShownTrial }) {
  if (ledger === null || ledger.record === null) return null;
  const { record, named } = ledger;
  const { facts } = record;
  const seconds = (value: number | null) => (value === null ? null : formatDuration(value * 1000));
  return (
    <>
      <FactList title="Record" facts={[["Version", String(facts.version)], ...listStated(facts)]} />
      <FactList
        title="Durations as stated"
        facts={[
          ["Total", seconds(facts.timing.total)],
          ["Set-up", seconds(facts.timing.setup)],
          ["Agent", seconds(facts.timing.agent)],
          ["Verification", seconds(facts.timing.verification)],
        ]}
      />
      <FactList
        title="Files named by the record"
        facts={named.map(({ name, path, file, problem }) => [
          name,
          file === null ? (
            <span className="muted" title={path}>{`${path}. ${problem}`}</span>
          ) : (
            <Link href={openTrialHref(at, { tab: search.tab, file })} mode="stay" title={path}>
              {file}
            </Link>
          ),
        ])}
      />
    </>
  );
}

type Facts = NonNullable<NonNullable<TrialPage["ledger"]>["record"]>["facts"];

function listStated(facts: Facts): readonly Fact[] {
  const output = ["Output", facts.outputStatus] as const;
  if (facts.version === 1) return [output, ["Completeness", facts.completeness]];
  return [
    ["Run", facts.runId],
    ["Execution", facts.executionStatus],
    ["Evaluation", facts.evaluationStatus],
    ["Evidence", facts.evidenceStatus],
    output,
    ["Visibility", facts.visibility],
  ];
}

interface StepRow extends StepRecord {
  readonly ordinal: number;
  readonly texts: TrialPage["stepRewards"][number];
}

const COLUMNS: readonly DataColumn<StepRow>[] = [
  column("#", ({ ordinal }) => ordinal, { numeric: true, width: 28, phone: "score" }),
  column("Step", ({ stepName }) => stepName, { phone: "first" }),
  column("Reward", describeRewards, { phone: "second" }),
  column("Reward file", describeFile),
  column("Exception", ({ exception }) => exception?.type ?? <Unknown />, { phone: "labelled" }),
  column("Agent time", ({ agentExecution }) => formatDuration(computeDurationMs(agentExecution)), {
    numeric: true,
    phone: "labelled",
  }),
  column("Verifier time", ({ verifier }) => formatDuration(computeDurationMs(verifier)), {
    numeric: true,
    room: "minor",
  }),
  column("Tokens", ({ tokens }) => formatCount(sumTokens(tokens)), { numeric: true }),
  column("Cost, $", (step) => formatCost(readCost(step)), { numeric: true }),
];

export function StepsPanel({ page }: { page: TrialPage }) {
  const rows = (page.trial.steps ?? []).map((step, at) => ({
    ...step,
    ordinal: at + 1,
    texts: page.stepRewards[at] ?? [],
  }));
  return (
    <>
      <DataTable
        caption="Steps of the trial"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ ordinal }) => ordinal}
      />
      <p className="caption table-note">
        A step that was not verified has no reward (not 0) and is excluded from the trial&apos;s mean.{" "}
        <ShowAllOf page={page} file={page.recordFile} />
      </p>
    </>
  );
}

function describeRewards({ hasVerifierResult, texts }: StepRow) {
  if (!hasVerifierResult) return <Unknown>not verified</Unknown>;
  if (texts.length === 0) return <Unknown />;
  return texts.map(({ key, text }) => (
    <span key={key} className="nowrap step-reward">
      {key} <b>{text}</b>{" "}
    </span>
  ));
}

function describeFile({ rewardFile }: StepRow) {
  if (rewardFile.kind === "absent") return <Check verdict="not-recorded" words="no file" />;
  if (rewardFile.kind === "error") return <span title={rewardFile.message}>{rewardFile.reasonCode}</span>;
  return rewardFile.file;
}
