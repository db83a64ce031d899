import type { Trial } from "./trial";

const CONFIGURED = " (configured)";

/** Marks a model that the config names and no result confirms. */
export function markConfigured(model: string): string {
  return `${model}${CONFIGURED}`;
}

export function unmarkModel({ model, recordedModel }: Pick<Trial, "model" | "recordedModel">) {
  return model === recordedModel ? model : (model?.slice(0, -CONFIGURED.length) ?? null);
}

export function joinProviders(trials: readonly Pick<Trial, "provider">[]): string | null {
  return [...new Set(trials.flatMap(({ provider }) => provider ?? []))].join(", ") || null;
}

/** Adds the provider to the name of a model that an agent has from several. An unknown provider adds none. */
export function qualifyModels<Run extends { readonly group: ModelGroup }>(
  runs: readonly Run[],
): readonly Run[] {
  const nameOf = ({ group: { agent, model } }: Run) => JSON.stringify([agent, model]);
  const known = new Map<string, Set<string>>();
  for (const run of runs)
    if (run.group.provider !== null)
      known.set(nameOf(run), (known.get(nameOf(run)) ?? new Set()).add(run.group.provider));
  return runs.map((run) => {
    const { model, provider } = run.group;
    if (model === null || provider === null || (known.get(nameOf(run))?.size ?? 0) < 2) return run;
    return { ...run, group: { ...run.group, model: `${provider}/${model}` } };
  });
}

type ModelGroup = Readonly<Record<"model" | "provider", string | null>> & { readonly agent: string };
