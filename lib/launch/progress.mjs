// Plain JavaScript without dependencies: it runs on the machine's own Node, before anything is installed.

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const SHOW_AFTER_MS = 1_000;
const REPEAT_EVERY_MS = 20_000;

/** Milliseconds as `0.4 s` or `2 min 05 s`. */
export function formatElapsed(elapsedMs) {
  const seconds = elapsedMs / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
}

/**
 * Says on `out` what is going on while something runs: a moving line on a terminal; elsewhere a plain line after one
 * second and another every twenty. Silent for anything shorter.
 *
 * @returns `stop(line)`, which clears the moving line and, when given one, prints the closing line.
 */
export function showProgress(title, out = process.stderr) {
  const startedAtMs = Date.now();
  const isTerminal = out.isTTY === true && process.env.CI === undefined;
  let frame = 0;
  let lastPrintMs = 0;
  const tick = () => {
    const nowMs = Date.now();
    if (nowMs - startedAtMs < SHOW_AFTER_MS) return;
    if (isTerminal) {
      frame = (frame + 1) % FRAMES.length;
      out.write(`\r\u001b[2K${FRAMES[frame]} ${title} (${formatElapsed(nowMs - startedAtMs)})`);
    } else if (nowMs - lastPrintMs >= REPEAT_EVERY_MS) {
      out.write(
        `... ${title}${lastPrintMs === 0 ? "" : ` (${formatElapsed(nowMs - startedAtMs)} so far)`}\n`,
      );
      lastPrintMs = nowMs;
    }
  };
  const timer = setInterval(tick, isTerminal ? 100 : 250);
  return {
    elapsedMs: () => Date.now() - startedAtMs,
    stop: (line) => {
      clearInterval(timer);
      if (isTerminal) out.write("\r\u001b[2K");
      if (line !== undefined) out.write(`${line}\n`);
    },
  };
}
