import { PLAIN, percent, StripMark } from "@/components/ui/interval-plot";
import { placeInterval } from "@/lib/core/charts/interval-strip";
import { placeOn } from "@/lib/core/charts/ticks";
import type { ExpectedWin, Unavailable } from "@/lib/core/stats";

import { describeWin } from "./triage-words";

/** Upper ends of the scale that read well in points. */
const ENDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] as const;

/** Returns the smallest round upper end that covers the maximum win of each fix. */
export function selectWinEnd(wins: readonly (ExpectedWin | Unavailable)[]): number {
  const most = Math.max(
    0,
    ...wins.map((win) => (win.kind === "computed" ? Math.max(win.most, win.high) : 0)),
  );
  return ENDS.find((end) => end >= most) ?? 1;
}

export function WinPlot({
  win,
  most,
  end,
  width,
}: {
  win: ExpectedWin | Unavailable;
  most: number;
  end: number;
  width: number;
}) {
  const scale = { low: 0, high: end };
  const reach = percent(Math.min(1, placeOn(win.kind === "computed" ? win.most : most, scale)));
  return (
    <svg className="win-plot" width={width} height={20} role="img">
      <title>{describeWin(win)}</title>
      {win.kind === "unavailable" ? (
        <line className="win-unknown" x1="0%" x2={reach} y1={10} y2={10} />
      ) : (
        <>
          <rect className="win-most" x="0%" y={6} width={reach} height={8} />
          <StripMark
            interval={placeInterval({ value: win.expected, low: win.low, high: win.high }, scale)}
            group={PLAIN}
            y={10}
            size={7}
          />
        </>
      )}
    </svg>
  );
}
