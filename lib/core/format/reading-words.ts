export const LEFT_OUT_READINGS = [
  {
    name: "without-infrastructure",
    label: "Without infrastructure",
    title: "Without trials that provider, account, environment or verifier failed, regardless of reward",
  },
  {
    name: "without-timeouts",
    label: "Without timeouts",
    title: "Without trials stopped at their agent’s time limit, regardless of reward",
  },
  {
    name: "without-both",
    label: "Without both",
    title: "Without infrastructure failures and without timeouts",
  },
  {
    name: "without-missing",
    label: "Missing excluded",
    title: "Without trials that have no reward, however they ended",
  },
] as const;

export const MISSING_ENDS = {
  label: "Missing all 0 to all 1",
  title: "The lowest and the highest score that missing rewards allow",
} as const;

export function nameScore(missing: "zero" | "exclude"): string {
  return missing === "zero" ? "Score" : "Missing excluded";
}
