// Times the curves of six groups of 100 tasks with 5 attempts each, 10,000 resamples a group, and the least that any
// such bootstrap must do: draw as many rows and add them up. Prints one JSON line of milliseconds of processor time. Bundled
// before it runs, with the code of lib/core/stats that pages use.

import { computePassCurve } from "@/lib/core/stats";

const GROUPS = 6;
const TASKS = 100;
const ATTEMPTS = 5;
const RESAMPLES = 10_000;
/** Of each of both curves a column for every k. */
const COLUMNS = 2 * ATTEMPTS;

const groups = Array.from({ length: GROUPS }, (_, group) =>
  Array.from({ length: TASKS }, (_task, task) => ({
    task: String(task),
    n: ATTEMPTS,
    c: (task * (group + 2)) % (ATTEMPTS + 1),
  })),
);

/** Milliseconds of processor time that `work` takes. */
function time(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** As many draws of a plain generator as the curves need, each adding one row of a table into sums. */
function drawBare(): number {
  const cells = new Float64Array(TASKS * COLUMNS).fill(0.5);
  const sums = new Float64Array(COLUMNS);
  let state = 1;
  for (let draw = 0; draw < GROUPS * RESAMPLES * TASKS; draw++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const start = Math.floor((state * TASKS) / 2 ** 32) * COLUMNS;
    for (let column = 0; column < COLUMNS; column++) {
      sums[column] = (sums[column] ?? 0) + (cells[start + column] ?? 0);
    }
  }
  return sums[0] ?? 0;
}

function drawCurves(): void {
  for (const group of groups) {
    const curve = computePassCurve(group, { resamples: RESAMPLES });
    if (curve.kind === "unavailable") throw new Error(curve.reason);
  }
}

const rounds = Number(process.argv[2] ?? "3");
// The first round of each is what a page that asks once waits for; the others are of compiled code.
const curvesMs = Array.from({ length: rounds }, () => time(drawCurves));
const bareMs = Array.from({ length: rounds }, () => time(() => void drawBare()));
process.stdout.write(`${JSON.stringify({ curvesMs, bareMs })}\n`);
