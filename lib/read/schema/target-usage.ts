import type { TokenUsage } from "@/lib/core/domain/trial";

const INPUT = ["inputtokens", "prompttokens"];
const CACHE = [
  "cachedtokens",
  "cachereadtokens",
  "cachedinputtokens",
  "cachereadinputtokens",
  "cachedreadtokens",
];
const OUTPUT = ["outputtokens", "completiontokens"];
const COST = ["costusd", "totalcostusd"];

/**
 * Returns the usage of the agent that a simulated user talked to, from the metadata of `agent_result`.
 * @see harbor 0.24.0 src/harbor/bridges/acp.py, `extract_target_usage`
 */
export function readTargetUsage(metadata: unknown): TokenUsage {
  const counts = new Map<string, number>();
  const usage = listEntries(metadata).find(([name]) => name === "acp_target_usage")?.[1];
  for (const [name, value] of listEntries(usage)) {
    const isCount = typeof value === "number" && Number.isFinite(value) && value >= 0;
    if (isCount) counts.set(name.replaceAll("_", "").toLowerCase(), value);
  }
  const pick = (names: readonly string[]) =>
    names.map((name) => counts.get(name)).find((count) => count !== undefined) ?? null;
  return {
    inputTokens: pick(INPUT),
    cacheTokens: pick(CACHE),
    outputTokens: pick(OUTPUT),
    costUsd: pick(COST),
  };
}

function listEntries(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
