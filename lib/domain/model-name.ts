import type { TrialRecord } from "./trial";

const CONFIGURED = " (configured)";

/** Returns the name of a model that the config names and no result confirms. */
export function markConfigured(model: string): string {
  return `${model}${CONFIGURED}`;
}

/** Returns a model's name without the mark of {@link markConfigured}. */
export function unmarkModel({ model, recordedModel }: Pick<TrialRecord, "model" | "recordedModel">) {
  return model === recordedModel ? model : (model?.slice(0, -CONFIGURED.length) ?? null);
}
