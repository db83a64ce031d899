import type { SettingDifference, SetupPart } from "@/lib/domain/agent-settings";

/** Returns a setting's name as people say it: options of the agent without their prefix. */
export function formatSettingName(name: string): string {
  return name.replace(/^kwargs\./, "").replace(/^import_path$/, "import path");
}

/** Returns a setting's value without the quotes of JSON; `not set` for null. */
export function formatSettingValue(value: string | null): string {
  if (value === null) return "not set";
  return /^"(?:[^"\\])*"$/.test(value) ? value.slice(1, -1) : value;
}

/** Returns how some trials' agent was set up, such as `reasoning_effort high, provider openai`. */
export function formatSetup(parts: readonly SetupPart[]): string {
  return parts.map((part) => `${formatSettingName(part.name)} ${formatSetupValue(part)}`).join(", ");
}

/** Returns the value of a setting that tells trials apart, `not set` or `unknown`. */
export function formatSetupValue({ kind, value }: SetupPart): string {
  return kind === "set" ? formatSettingValue(value) : kind;
}

/** Returns which values of a setting trials have and how many, such as `reasoning_effort: low 4, high 5`. */
export function formatDifference({ name, values, nUnknown }: SettingDifference): string {
  const counts = values.map(({ value, nTrials }) => `${formatSettingValue(value)} ${String(nTrials)}`);
  const unknown = nUnknown === 0 ? [] : [`unknown ${String(nUnknown)}`];
  return `${formatSettingName(name)}: ${[...counts, ...unknown].join(", ")}`;
}
