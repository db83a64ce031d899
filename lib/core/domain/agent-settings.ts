import { compareNames, compareText } from "./compare-text";
import type { Trial } from "./trial";

interface SettingValue {
  /** JSON text; null if the config leaves the setting out, so that the agent's default applied. */
  readonly value: string | null;
  readonly nTrials: number;
}

export interface SettingDifference {
  readonly name: string;
  readonly values: readonly SettingValue[];
  readonly nUnknown: number;
}

export interface SetupPart {
  readonly name: string;
  readonly kind: "set" | "not set" | "unknown";
  readonly value: string;
}

export type SettingValues = ReadonlyMap<string, ReadonlySet<string | null>>;

export function collectSettings(trials: readonly Pick<Trial, "settings">[]): SettingValues | null {
  const stated = trials.flatMap(({ settings }) =>
    settings === null ? [] : [new Map(settings.map(({ name, value }) => [name, value]))],
  );
  if (stated.length === 0) return null;
  const names = new Set(stated.flatMap((one) => [...one.keys()]));
  return new Map(Array.from(names, (name) => [name, new Set(stated.map((one) => one.get(name) ?? null))]));
}

export type ConfiguredTrial = Pick<Trial, "settings" | "model" | "provider" | "agentVersion">;

/** Differs only where Harbor's key leaves the model out, since the agent records none. */
const MODEL = "model";
const PROVIDER = "provider";
const VERSION = "agent version";

export function readSetup(trial: ConfiguredTrial, names: readonly string[]): readonly SetupPart[] {
  return names.map((name) => {
    const value = readSetting(trial, name);
    if (value === undefined) return { name, kind: "unknown", value: "" };
    return value === null ? { name, kind: "not set", value: "" } : { name, kind: "set", value };
  });
}

/** Returns undefined if unknown, null if the config leaves the setting out. */
function readSetting(trial: ConfiguredTrial, name: string): string | null | undefined {
  if (name === MODEL) return trial.model === null ? undefined : JSON.stringify(trial.model);
  if (name === PROVIDER) return trial.provider === null ? undefined : JSON.stringify(trial.provider);
  if (name === VERSION) {
    const version = trial.agentVersion;
    return version === null || version === "unknown" ? undefined : JSON.stringify(version);
  }
  if (trial.settings === null) return undefined;
  return trial.settings.find((setting) => setting.name === name)?.value ?? null;
}

export function listSettingDifferences(trials: readonly ConfiguredTrial[]): readonly SettingDifference[] {
  const names = new Set<string>([MODEL, PROVIDER, VERSION]);
  for (const { settings } of trials) for (const { name } of settings ?? []) names.add(name);
  return [...names].sort().flatMap((name) => {
    const counts = new Map<string | null, number>();
    let nUnknown = 0;
    for (const trial of trials) {
      const value = readSetting(trial, name);
      if (value === undefined) nUnknown++;
      else counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    if (counts.size < 2) return [];
    const values = [...counts].map(([value, nTrials]) => ({ value, nTrials }));
    return { name, values: values.toSorted(compareValues), nUnknown };
  });
}

export function mixesModels(differences: readonly SettingDifference[]): boolean {
  return differences.some(({ name }) => name === MODEL || name === PROVIDER);
}

interface SetupPartition<Trial> {
  readonly text: string;
  readonly setup: readonly SetupPart[];
  readonly trials: readonly Trial[];
}

/** Divides trials by all differing settings; if models differ, by model only, plus the provider where one model has several. */
export function divideBySetup<Trial extends ConfiguredTrial>(
  trials: readonly Trial[],
  differences: readonly SettingDifference[],
): readonly SetupPartition<Trial>[] {
  const names = differences.map(({ name }) => name);
  const parts = names.includes(MODEL)
    ? divideBy(trials, [MODEL]).flatMap((part) => {
        const providers = new Set(part.trials.flatMap(({ provider }) => provider ?? []));
        return providers.size > 1 ? divideBy(part.trials, [MODEL, PROVIDER]) : part;
      })
    : divideBy(trials, names);
  return parts.toSorted((a, b) => compareText(a.text, b.text));
}

function divideBy<Trial extends ConfiguredTrial>(
  trials: readonly Trial[],
  names: readonly string[],
): readonly SetupPartition<Trial>[] {
  const bySetup = Map.groupBy(trials, (trial) => JSON.stringify(readSetup(trial, names)));
  return Array.from(bySetup, ([text, own]) => ({
    ...{ text, setup: own.slice(0, 1).flatMap((trial) => readSetup(trial, names)), trials: own },
  }));
}

function compareValues(a: SettingValue, b: SettingValue): number {
  if (a.nTrials !== b.nTrials) return b.nTrials - a.nTrials;
  if (a.value === null || b.value === null) return a.value === null ? 1 : -1;
  return compareNames(a.value, b.value);
}
