import type {
  Breakdown,
  BreakdownDimension,
  BreakdownSource,
  TrialFindings,
  ValidityGate,
} from "@/lib/domain/breakdown";
import type { LoadIssue } from "@/lib/domain/load-issue";
import type { ErrorTag, TrialRecord } from "@/lib/domain/trial";

import { textOrNull } from "./breakdown-score";
import { isObject } from "./json-shape";
import type { JsonObject } from "./json-shape";
import { chooseStepFolders } from "./load-trajectory-files";
import { readTextInside } from "./open-inside";
import { parseDetails, pickValidity } from "./parse-details";
import { parseErrorTags, tagsFromAnalysis } from "./parse-error-tags";
import { parseLooseJson } from "./parse-loose-json";
import { parseRewardDetails } from "./parse-reward-details";
import { readAnalysis } from "./read-evidence";

const MAX_BYTES = 8 * 1024 * 1024;

/** A parsed file of a verifier that holds a breakdown. */
interface DetailsFile {
  readonly file: string;
  readonly step: string | null;
  readonly kind: "reward-details" | "details";
  readonly root: JsonObject;
}

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
  return { sources: files.map(toSource).filter(({ dimensions }) => dimensions.length > 0), issues };
}

/**
 * What a trial adds to per-dimension means and to the Errors page: shares by dimension, and error tags of its details and
 * of failed checks of its analysis. Files that are absent or broken add nothing.
 */
export async function readTrialFindings(
  trialPath: string,
  stepNames: readonly string[] | null = null,
): Promise<TrialFindings> {
  const { files } = await readDetailsFiles(trialPath, stepNames);
  const dimensions = new Map<string, number | null>();
  for (const source of files.map(toSource)) {
    const prefix = source.step === null ? "" : `${source.step}: `;
    for (const [name, share] of listShares(source.dimensions, prefix)) {
      if (!dimensions.has(name)) dimensions.set(name, share);
    }
  }
  const analysis = await readAnalysis(trialPath);
  return { dimensions, errorTags: [...tagsOf(files), ...tagsFromAnalysis(analysis.value)] };
}

function tagsOf(files: readonly DetailsFile[]): readonly ErrorTag[] {
  return files.flatMap((file) => (file.kind === "details" ? parseErrorTags(file.root) : []));
}

function listShares(
  dimensions: readonly BreakdownDimension[],
  prefix: string,
): readonly [string, number | null][] {
  return dimensions.flatMap((dimension) => {
    const name = prefix + dimension.name;
    if (dimension.scoreText === null && dimension.children.length > 0)
      return listShares(dimension.children, `${name}.`);
    return dimension.scoreText === null
      ? []
      : [[name, dimension.normalised] satisfies [string, number | null]];
  });
}

function toSource(file: DetailsFile): BreakdownSource {
  const reward = file.root["reward"];
  return {
    file: file.file,
    step: file.step,
    dimensions: file.kind === "details" ? parseDetails(file.root) : parseRewardDetails(file.root),
    statedReward: file.kind === "details" && !isObject(reward) ? textOrNull(reward) : null,
  };
}

async function readDetailsFiles(
  trialPath: string,
  stepNames: readonly string[] | null,
): Promise<DetailsReading> {
  const files: DetailsFile[] = [];
  const issues: LoadIssue[] = [];
  const steps = await chooseStepFolders(trialPath, stepNames);
  const folders = [
    { folder: "verifier", step: null },
    ...steps.map((step) => ({ folder: `steps/${step}/verifier`, step })),
  ];
  for (const { folder, step } of folders) {
    for (const kind of ["reward-details", "details"] as const) {
      const file = `${folder}/${kind}.json`;
      const text = await readTextInside(trialPath, file, MAX_BYTES);
      if (text === null) continue;
      const parsed = text.ok ? parseLooseJson(text.value, file) : text;
      if (!parsed.ok) issues.push(parsed.issue);
      else if (isObject(parsed.value)) files.push({ file, step, kind, root: parsed.value });
      else if (parsed.value !== null)
        files.push({ file, step, kind: "details", root: { details: parsed.value } });
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
