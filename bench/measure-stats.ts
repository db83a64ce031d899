import { z } from "zod";

import { bundleScript } from "./bundle.ts";
import { startChild } from "./child.ts";
import type { PartResult } from "./report.ts";
import { computeSpread, formatFigure, formatSpread } from "./samples.ts";

const ROUNDS = 5;
const TIMEOUT_MS = 120_000;
const timesSchema = z.object({ curvesMs: z.array(z.number()), bareMs: z.array(z.number()) });

/** Times the resampling behind pass@k and pass^k, and a bare loop that draws and adds as much. */
export async function measureStats(runs: number): Promise<PartResult> {
  const script = await bundleScript("stats-timer");
  const found: z.infer<typeof timesSchema>[] = [];
  for (let run = 0; run < runs; run += 1) found.push(await timeOnce(script));
  const first = computeSpread(found.flatMap(({ curvesMs }) => curvesMs.slice(0, 1)));
  const later = computeSpread(found.flatMap(({ curvesMs }) => curvesMs.slice(1)));
  const bare = computeSpread(found.flatMap(({ bareMs }) => bareMs.slice(1)));
  const ratio = later === null || bare === null ? "—" : formatFigure(later.median / bare.median);
  return {
    tables: [
      {
        title: "Bootstrap of six groups",
        notes: [
          "Milliseconds of processor time: pass@k and pass^k with bands, 100 tasks, 5 attempts, 10,000 resamples a group. The bare loop draws as many rows and adds them up.",
        ],
        columns: ["first", "later", "bare loop", "times the bare loop"],
        rows: [[formatSpread(first), formatSpread(later), formatSpread(bare), ratio]],
      },
    ],
    raw: found,
    failures: [],
  };
}

async function timeOnce(script: string): Promise<z.infer<typeof timesSchema>> {
  const child = startChild(process.execPath, [script, String(ROUNDS)]);
  try {
    const [line] = await child.waitFor(/\{.*\}\n/, TIMEOUT_MS);
    return timesSchema.parse(JSON.parse(line));
  } finally {
    await child.stop();
  }
}
