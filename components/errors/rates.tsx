import { intervalColumn, IntervalPlot } from "@/components/ui/interval-plot";
import type { DataColumn } from "@/components/ui/table-columns";
import type { ExceptionCause } from "@/lib/core/domain/exception-cause";
import { formatPlural, formatRange, MISSING } from "@/lib/core/format/number";
import type { RateInterval, Unavailable } from "@/lib/core/stats";

/** Upper ends of the scale that read well in percent. */
const ENDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] as const;

/** Returns the smallest round upper end that covers every interval of a column. */
export function selectRateEnd(rates: readonly (RateInterval | Unavailable)[]): number {
  const highest = Math.max(0, ...rates.map((rate) => (rate.kind === "computed" ? rate.high : 0)));
  return ENDS.find((end) => end >= highest) ?? 1;
}

interface RatePlotProps {
  readonly rate: RateInterval | Unavailable;
  readonly end: number;
  readonly width: number;
  readonly identity?: number | undefined;
}

export function RatePlot({ rate, end, width, identity }: RatePlotProps) {
  const mark =
    rate.kind === "unavailable" ? null : { value: rate.rate, low: rate.low, high: rate.high, identity };
  return <IntervalPlot mark={mark} end={end} width={width} title={describeRate(rate)} />;
}

function formatEnd(share: number): string {
  return String(Number((share * 100).toFixed(2)));
}

/** A rate with its interval; empty where the rate is null. */
export function rateColumn<Row>({
  end,
  width,
  room,
  rateOf,
  identityOf = () => undefined,
}: {
  end: number;
  width: number;
  room?: "minor";
  rateOf: (row: Row) => RateInterval | Unavailable | null;
  identityOf?: (row: Row) => number | undefined;
}): DataColumn<Row> {
  return intervalColumn(
    (row) => {
      const rate = rateOf(row);
      return rate && <RatePlot rate={rate} end={end} width={width} identity={identityOf(row)} />;
    },
    { words: "Rate with its interval", width, end, format: formatEnd },
    room && { room },
  );
}

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
