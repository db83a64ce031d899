import type { DetailsOfTrial, EvaluationFiles } from "@/lib/core/domain/evaluation-files";
import { ingestVerifierArtifacts, type JsonObject } from "@/lib/core/evaluation";

import type { EvaluationFault } from "./types";

/**
 * Returns the breakdown of a trial and its steps: `details.json`, else `reward-details.json`; null without a readable one. A
 * broken file does not affect the reward.
 */
export function findBreakdown({ details }: EvaluationFiles) {
  const issues: EvaluationFault[] = [];
  const read: { readonly place: DetailsOfTrial; readonly value: JsonObject }[] = [];
  for (const place of details) {
    const value = readDetails(place, issues);
    if (value !== null) read.push({ place, value });
  }
  const own = read.find(({ place }) => place.step === null);
  const steps = read.flatMap(({ place, value }) =>
    place.step === null ? [] : [[place.step, value] as const],
  );
  if (own !== undefined) {
    return { breakdown: own.value, origin: { from: own.place.file, rule: "As recorded." }, issues };
  }
  if (steps.length > 0) {
    const from = read.map(({ place }) => place.file).join(", ");
    const origin = { from, rule: "As recorded, by step name." };
    return { breakdown: Object.fromEntries(steps), origin, issues };
  }
  return { breakdown: null, origin: { from: null, rule: "No verifier wrote one that can be read." }, issues };
}

function readDetails({ file, bytes }: DetailsOfTrial, issues: EvaluationFault[]): JsonObject | null {
  const known = { reward: null, outputParseable: true, schemaValid: true };
  const read = ingestVerifierArtifacts({ ...known, details: bytes });
  if (read.ok) return read.value.breakdown;
  for (const { code, message } of read.issues) issues.push({ code, field: "breakdown", file, message });
  return null;
}
