import { formatCount } from "@/lib/core/format/number";

import type { OutputStream } from "./terminal";

const WIDTH = 24;
const REDRAW_MS = 80;

interface Pace {
  readonly rate: number | null;
  readonly secondsLeft: number | null;
}

/** Counts trials or other items, at most twelve times a second and only on a terminal. */
export function makeProgressBar(
  stream: OutputStream,
  readClock: () => number = () => performance.now(),
  noun = "trials",
) {
  const startedAt = readClock();
  let drawnAt = startedAt;
  let isDrawn = false;
  return {
    show: (done: number, total: number, pace?: Pace): void => {
      const now = readClock();
      // Shows nothing for work that ends at once.
      if (stream.isTTY !== true || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      isDrawn = true;
      const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
      const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
      stream.write(`\r\u001b[K[${bar}] ${done} of ${total} ${noun}${describePace(pace)}`);
    },
    clear: (): void => {
      if (isDrawn) stream.write("\r\u001b[K");
      isDrawn = false;
    },
  };
}

function describePace({ rate, secondsLeft }: Pace = { rate: null, secondsLeft: null }): string {
  return rate === null || secondsLeft === null
    ? ""
    : `, ${formatCount(Math.round(rate))} a second, ${formatCount(secondsLeft)} s left`;
}
