import type { ExceptionCause } from "@/lib/core/domain/exception-cause";
import { formatPlural, formatRange, MISSING } from "@/lib/core/format/number";
import type { RateInterval, Unavailable } from "@/lib/core/stats";

export const CAUSE_WORDS: Readonly<Record<ExceptionCause, string>> = {
  limit: "Limits",
  agent: "Agent",
  provider: "Provider",
  infrastructure: "Infrastructure",
  verifier: "Verifier",
  cancelled: "Cancelled",
  other: "Other",
};

export const CAUSE_MEANINGS: Readonly<Record<ExceptionCause, string>> = {
  limit: "the agent ran out of time, context or output: counts against the agent",
  agent: "the agent’s process stopped: counts against the agent",
  provider: "the model provider refused or failed: can be excluded",
  infrastructure: "the environment failed, not the agent: can be excluded",
  verifier: "the verifier gave no usable verdict: can be excluded",
  cancelled: "someone stopped it: can be excluded",
  other: "types that Harbor does not define: read the message to decide",
};

export function formatRate(rate: RateInterval | Unavailable): string {
  return rate.kind === "computed" ? (rate.rate * 100).toFixed(1) : MISSING;
}

export function describeRate(rate: RateInterval | Unavailable): string {
  if (rate.kind === "unavailable") return "no finished trials";
  const percent = (share: number) => (share * 100).toFixed(1);
  const interval = `95 % interval ${formatRange(rate, percent)} %`;
  return `${String(rate.count)} of ${String(rate.n)}, ${percent(rate.rate)} %, ${interval}`;
}

export function describeUnread(nToRead: number): string {
  if (nToRead === 0) return "";
  return `The files of ${formatPlural(nToRead, "trial is", "trials are")} still being read; this page updates automatically.`;
}
