import type { SettingDifference, SetupPart } from "@/lib/core/domain/agent-settings";

/** Removes the prefix of an agent's options. */
export function formatSettingName(name: string): string {
  return name.replace(/^kwargs\./, "").replace(/^import_path$/, "import path");
}

export function formatSettingValue(value: string | null): string {
  if (value === null) return "not set";
  return /^"(?:[^"\\])*"$/.test(value) ? value.slice(1, -1) : value;
}

export function formatSetup(parts: readonly SetupPart[]): string {
  return parts.map((part) => `${formatSettingName(part.name)} ${formatSetupValue(part)}`).join(", ");
}

export function formatSetupValue({ kind, value }: SetupPart): string {
  return kind === "set" ? formatSettingValue(value) : kind;
}

export function formatDifference({ name, values, nUnknown }: SettingDifference): string {
  const counts = values.map(({ value, nTrials }) => `${formatSettingValue(value)} ${nTrials}`);
  const unknown = nUnknown === 0 ? [] : [`unknown ${nUnknown}`];
  return `${formatSettingName(name)}: ${[...counts, ...unknown].join(", ")}`;
}
