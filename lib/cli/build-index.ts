import { join } from "node:path";

import { StoreError } from "@/lib/core/domain/app-error";
import { formatPlural } from "@/lib/core/format/number";
import { findProjectRoot } from "@/lib/read/processes/project-root";
import { resolveDataFolder } from "@/lib/store/database";
import { openIndex } from "@/lib/store/indexer";
import { readTotals } from "@/lib/store/tables";

import { parseCommandLine } from "./command-line";
import { checkFolder, parseSummation, withData } from "./open-folders";
import { makeProgressBar } from "./progress-bar";
import { type Terminal, writeJson } from "./terminal";

/** Runs `assay index`: updates the index of some folders and prints what it holds. */
export async function runIndex(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    data: { type: "string" },
    "derived-details": { type: "boolean" },
    json: { type: "boolean" },
    summation: { type: "string" },
  });
  const roots = positionals.length === 0 ? ["."] : positionals;
  for (const root of roots) checkFolder(root);
  const environment = withData(terminal.env, values.data);
  const startedAt = performance.now();
  const index = await openIndex({
    roots,
    summation: parseSummation(values.summation, terminal.env),
    environment: { ...environment, ASSAY_DATA: resolveDataFolder(environment) },
    script: join(findProjectRoot(), "dist", "indexing.js"),
    withDerivedDetails: values["derived-details"] === true,
  });
  const bar = makeProgressBar(terminal.stderr);
  let nTrialsRead = 0;
  const stop = index.subscribe((status) => {
    nTrialsRead = Math.max(nTrialsRead, status.nTrialsToRead);
    if (status.phase === "reading") bar.show(status.nTrialsRead, status.nTrialsToRead, status);
    else if (status.nDerivedDetailsToRead > 0)
      bar.show(status.nDerivedDetailsRead, status.nDerivedDetailsToRead, { rate: null, secondsLeft: null });
  });
  try {
    await index.scanIfDue();
    await index.settle();
    bar.clear();
    const { failure, notice, generation, phase } = index.status();
    if (failure !== null) throw new StoreError("store_unavailable", failure);
    const totals = await readTotals(index.store);
    const seconds = (performance.now() - startedAt) / 1000;
    const { engine } = index.store;
    if (values.json === true) {
      const counts = { n_jobs: totals.nJobs, n_trials: totals.nTrials, n_trials_read: nTrialsRead };
      const issues = { n_problems: totals.nProblems, n_notes: totals.nNotes };
      const state = { generation, engine, is_followed: phase === "following", notice };
      await writeJson(terminal.stdout, { schema: "assay.index/2", ...counts, ...issues, ...state, seconds });
    } else {
      const read = nTrialsRead === 0 ? "nothing changed" : `${formatPlural(nTrialsRead, "trial")} read`;
      const held = `${formatPlural(totals.nJobs, "job")}, ${formatPlural(totals.nTrials, "trial")}`;
      terminal.stdout.write(`${held}; ${read} in ${seconds.toFixed(1)} s\n`);
      if (notice !== null) terminal.stderr.write(`assay: ${notice}\n`);
    }
    return 0;
  } finally {
    bar.clear();
    stop();
    await index.close();
  }
}
