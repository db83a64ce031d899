import { percent } from "@/components/ui/interval-plot";

/** Returns where a rank starts, as a share of the bar. */
function placeRank(rank: number, nRanked: number): number {
  return (rank - 1) / nRanked;
}

export function RankPlot({
  rank: { low, high },
  nRanked,
}: {
  rank: { readonly low: number; readonly high: number };
  nRanked: number;
}) {
  const from = placeRank(low, nRanked);
  const to = placeRank(high + 1, nRanked);
  const ranks = low === high ? `rank ${String(low)}` : `ranks ${String(low)} to ${String(high)}`;
  return (
    <svg className="rank-plot" role="img" aria-label={`${ranks} of ${String(nRanked)}`}>
      <line className="rank-track" x1="0" x2="100%" y1={10} y2={10} />
      <rect className="rank-bar" x={percent(from)} width={percent(to - from)} y={7} height={6} />
    </svg>
  );
}

export function RankScale({ nRanked }: { nRanked: number }) {
  return (
    <span className="rank-scale" aria-hidden="true">
      <span>1</span>
      <span>{nRanked > 1 ? nRanked : ""}</span>
    </span>
  );
}
