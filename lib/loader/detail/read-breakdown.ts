import type { Breakdown, ValidityGate } from "@/lib/domain/breakdown";
import type { LoadIssue } from "@/lib/domain/load-issue";
import type { TrialRecord } from "@/lib/domain/trial";

import {
  DETAILS_KINDS,
  type DetailsFile,
  listDetailsTags,
  listVerifierFolders,
  MAX_DETAILS_BYTES,
  parseDetailsFile,
  toBreakdownSource,
} from "./details-file";
import { chooseStepFolders } from "./load-trajectory-files";
import { readTextInside } from "./open-inside";
import { pickValidity } from "./parse-details";

interface DetailsReading {
  readonly files: readonly DetailsFile[];
  readonly issues: readonly LoadIssue[];
}

/**
 * A trial's breakdown: `reward-details.json`, then `details.json`, of the trial and of each step. Never throws for what is
 * on disk; issue paths are relative to the trial folder.
 */
export async function readBreakdown(
  trialPath: string,
  stepNames: readonly string[] | null = null,
): Promise<Breakdown> {
  const { files, issues } = await readDetailsFiles(trialPath, stepNames);
  return {
    sources: files.map(toBreakdownSource).filter(({ dimensions }) => dimensions.length > 0),
    errorTags: listDetailsTags(files),
    issues,
  };
}

async function readDetailsFiles(
  trialPath: string,
  stepNames: readonly string[] | null,
): Promise<DetailsReading> {
  const files: DetailsFile[] = [];
  const issues: LoadIssue[] = [];
  for (const { folder, step } of listVerifierFolders(await chooseStepFolders(trialPath, stepNames))) {
    for (const kind of DETAILS_KINDS) {
      const file = `${folder}/${kind}.json`;
      const text = await readTextInside(trialPath, file, MAX_DETAILS_BYTES);
      if (text === null) continue;
      const parsed = text.ok ? parseDetailsFile(text.value, { file, step, kind }) : text;
      if (!parsed.ok) issues.push(parsed.issue);
      else if (parsed.value !== null) files.push(parsed.value);
    }
  }
  return { files, issues };
}

/**
 * The three validity gates of a trial. Harbor records none of them, so an answer is taken from `details.json` where a
 * verifier states it; whether the verifier completed also follows from rewards being there.
 */
export async function readValidity(trialPath: string, trial: TrialRecord): Promise<readonly ValidityGate[]> {
  const { files } = await readDetailsFiles(trialPath, trial.steps?.map((step) => step.stepName) ?? null);
  const stated = (name: ValidityGate["name"]): ValidityGate | null => {
    for (const { root, file } of files) {
      const met = pickValidity(root, name);
      if (met !== null) return { name, met, basis: `Stated in ${file}.` };
    }
    return null;
  };
  const unknown = "No file of this trial states it.";
  return [
    stated("output_parseable") ?? { name: "output_parseable", met: null, basis: unknown },
    stated("schema_valid") ?? { name: "schema_valid", met: null, basis: unknown },
    stated("verifier_completed") ?? inferVerifierCompleted(trial),
  ];
}

function inferVerifierCompleted(trial: TrialRecord): ValidityGate {
  const name = "verifier_completed";
  if (trial.state === "running") return { name, met: null, basis: "The trial is still running." };
  if (trial.rewardFile.kind === "error") {
    return {
      name,
      met: false,
      basis: `${trial.rewardFile.file} is there and cannot be used: ${trial.rewardFile.message}`,
    };
  }
  if (trial.rewardFile.kind === "read")
    return { name, met: true, basis: `It wrote ${trial.rewardFile.file}.` };
  if (trial.rewards !== null)
    return { name, met: true, basis: "result.json has rewards; no reward file is left to check." };
  if (trial.state !== "finished") return { name, met: null, basis: "There is no readable result." };
  return { name, met: false, basis: "There is neither a reward file nor a reward in result.json." };
}
