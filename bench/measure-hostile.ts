import { z } from "zod";

import { bundleScript } from "./bundle.ts";
import { startChild } from "./child.ts";
import type { PartResult } from "./report.ts";
import { computeSpread, formatFigure, formatSpread } from "./samples.ts";

const TIMEOUT_MS = 120_000;
const timesSchema = z.object({
  times: z.array(z.object({ name: z.string(), readMs: z.number(), bareMs: z.number() })),
});

export async function measureHostile(runs: number): Promise<PartResult> {
  const script = await bundleScript("hostile-timer");
  const found: z.infer<typeof timesSchema>[] = [];
  for (let run = 0; run < runs; run += 1) found.push(await timeOnce(script));
  const all = found.flatMap(({ times }) => times);
  const rows = [...new Set(all.map(({ name }) => name))].map((name) => {
    const own = all.filter((one) => one.name === name);
    const read = computeSpread(own.map(({ readMs }) => readMs));
    const bare = computeSpread(own.map(({ bareMs }) => bareMs));
    const ratio = read === null || bare === null ? "—" : formatFigure(read.median / bare.median);
    return [name, formatSpread(read), formatSpread(bare), ratio];
  });
  return {
    tables: [
      {
        title: "Hostile text",
        notes: [
          "Milliseconds of processor time on text that is as slow as possible to read. The bare loop visits each character once; for the alignment, each word of its table.",
        ],
        columns: ["reader", "reads", "bare loop", "times the bare loop"],
        rows,
      },
    ],
    raw: found,
    failures: [],
  };
}

async function timeOnce(script: string): Promise<z.infer<typeof timesSchema>> {
  const child = startChild(process.execPath, [script]);
  try {
    const [line] = await child.waitFor(/\{.*\}\n/, TIMEOUT_MS);
    return timesSchema.parse(JSON.parse(line));
  } finally {
    await child.stop();
  }
}
