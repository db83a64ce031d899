import { Check } from "@/components/ui/check";
import { Table } from "@/components/ui/table";
import { type StepRecord, sumTokens } from "@/lib/domain/trial";
import { computeDurationMs } from "@/lib/domain/clock-time";
import { formatCost, formatCount, MISSING } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import type { TrialPage } from "@/lib/queries/trial/page";

import { ShowAllOf } from "./trial-parts";

type StepRewards = TrialPage["stepRewards"][number];

/** Results of a multi-step trial, step by step in the order they ran. */
export function StepsPanel({ page }: { page: TrialPage }) {
  const steps = page.trial.steps ?? [];
  const rewards = page.stepRewards;
  return (
    <>
      <Table
        caption="Steps of the trial"
        columns={[
          { id: "n", label: "#", numeric: true, width: 28 },
          { id: "step", label: "Step" },
          { id: "reward", label: "Reward" },
          { id: "file", label: "Reward file" },
          { id: "exception", label: "Exception" },
          { id: "agent", label: "Agent time", numeric: true },
          { id: "verifier", label: "Verifier time", numeric: true, minor: true },
          { id: "tokens", label: "Tokens", numeric: true },
          { id: "cost", label: "Cost, $", numeric: true },
        ]}
      >
        <tbody>
          {steps.map((step, at) => (
            <tr key={`${at}-${step.stepName}`}>
              <td className="numeric">{at + 1}</td>
              <td>{step.stepName}</td>
              <td>{describeRewards(step, rewards[at])}</td>
              <td>
                {step.rewardFile.kind === "absent" ? (
                  <Check verdict="not-recorded" words="no file" />
                ) : step.rewardFile.kind === "error" ? (
                  <span title={step.rewardFile.message}>{step.rewardFile.reasonCode}</span>
                ) : (
                  step.rewardFile.file
                )}
              </td>
              <td>{step.exception?.type ?? <span className="unknown">{MISSING}</span>}</td>
              <td className="numeric">{formatDuration(computeDurationMs(step.agentExecution))}</td>
              <td className="numeric minor">{formatDuration(computeDurationMs(step.verifier))}</td>
              <td className="numeric">{formatCount(sumTokens(step.tokens))}</td>
              <td className="numeric">{formatCost(step.tokens.costUsd)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="caption table-note">
        A step that was not verified has no reward (not 0) and is left out of the trial&apos;s mean.{" "}
        <ShowAllOf page={page} file={page.recordFile} />
      </p>
    </>
  );
}

function describeRewards(step: StepRecord, rewards: StepRewards | undefined) {
  if (!step.hasVerifierResult) return <span className="unknown">not verified</span>;
  if (rewards === undefined || rewards.rewards.length === 0)
    return <span className="unknown">{MISSING}</span>;
  return rewards.rewards.map(({ key, text }) => (
    <span key={key} className="nowrap step-reward">
      {key} <b>{text}</b>{" "}
    </span>
  ));
}
