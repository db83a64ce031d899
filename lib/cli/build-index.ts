import { join } from "node:path";

import { StoreError } from "@/lib/core/domain/app-error";
import { formatPlural } from "@/lib/core/format/number";
import { findProjectRoot } from "@/lib/read/processes/project-root";
import { SUMMATION } from "@/lib/server/view-options";
import { resolveDataFolder } from "@/lib/store/database";
import { openIndex } from "@/lib/store/indexer";
import { readTotals } from "@/lib/store/tables";

import { defineCommand, flag, option, parseSummation } from "./command";
import { checkFolder, withData } from "./open-folders";
import { makeProgressBar, warn, writeJson } from "./terminal";

export const index = defineCommand({
  listed: { "index [DIR ...]": "Update the index that pages read" },
  usage: ["assay index [DIR ...] [OPTIONS]"],
  about: `Updates the index of the jobs below each DIR (default: the current folder), as \`assay view\` does automatically, and prints
its contents. The index is a file in the data folder, or a schema in $DATABASE_URL. You can delete it at any time.`,
  options: {
    data: option("DIR", "Folder for the index (default $ASSAY_DATA, else the user's data folder)."),
    "derived-details": flag(`Also read verifier details, analyses and searchable texts, and run scanners, as
\`assay view\` does in the background.`),
    json: flag("Print JSON (assay.index/2)."),
    summation: SUMMATION,
  },
  examples: ["assay index jobs"],
  async run({ values, positionals }, terminal) {
    const roots = positionals.length === 0 ? ["."] : positionals;
    for (const root of roots) checkFolder(root);
    const environment = withData(terminal.env, values.data);
    const startedAt = performance.now();
    const index = await openIndex({
      roots,
      summation: parseSummation(values.summation, terminal.env),
      environment: { ...environment, ASSAY_DATA: resolveDataFolder(environment) },
      script: join(findProjectRoot(), "dist", "indexing.js"),
      withDerivedDetails: values["derived-details"],
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
      if (values.json) {
        const counts = { n_jobs: totals.nJobs, n_trials: totals.nTrials, n_trials_read: nTrialsRead };
        const issues = { n_problems: totals.nProblems, n_notes: totals.nNotes };
        const state = { generation, engine, is_followed: phase === "following", notice };
        await writeJson(terminal.stdout, {
          schema: "assay.index/2",
          ...counts,
          ...issues,
          ...state,
          seconds,
        });
      } else {
        const read = nTrialsRead === 0 ? "nothing changed" : `${formatPlural(nTrialsRead, "trial")} read`;
        const held = `${formatPlural(totals.nJobs, "job")}, ${formatPlural(totals.nTrials, "trial")}`;
        terminal.stdout.write(`${held}; ${read} in ${seconds.toFixed(1)} s\n`);
        if (notice !== null) warn(terminal, notice);
      }
      return 0;
    } finally {
      bar.clear();
      stop();
      await index.close();
    }
  },
});
