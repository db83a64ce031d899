import { Check } from "@/components/ui/check";
import { DataTable } from "@/components/ui/data-table";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { computeDurationMs } from "@/lib/core/domain/clock-time";
import { readCost } from "@/lib/core/domain/spending";
import { type StepRecord, sumTokens } from "@/lib/core/domain/trial";
import { formatCost, formatCount } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import type { TrialPage } from "@/lib/pages/trial/page";

import { ShowAllOf } from "./trial-parts";

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
