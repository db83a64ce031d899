// Plain JavaScript without dependencies: it runs on the machine's own Node, before anything is installed.

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const SHOW_AFTER_MS = 1_000;
const REPEAT_EVERY_MS = 20_000;

export function formatElapsed(elapsedMs) {
  const seconds = elapsedMs / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
}

/** Shows a moving line on a terminal; elsewhere a plain line after one second and then every twenty. Silent for shorter work. */
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
