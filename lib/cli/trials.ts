import type { CatalogSnapshot } from "@/lib/domain/catalog";
import { computeDurationMs } from "@/lib/domain/clock-time";
import { selectHeadlineReward } from "@/lib/domain/trial";
import { MISSING } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import { dumpPythonJson } from "@/lib/scoring";

import { parseCommandLine, parseOnlyOperand } from "./command-line";
import { openFolders, parseSummation } from "./open-folders";
import { type Terminal, writeAll } from "./terminal";
import { formatTextTable, type TextColumn } from "./text-table";
import { prepareTrialsCsv } from "./trials-csv";
import { prepareTrialsJson } from "./trials-json";
import { UsageError } from "./usage-error";

const WRITERS: Readonly<Record<string, (snapshot: CatalogSnapshot) => Iterable<string>>> = {
  table: prepareTrialsTable,
  json: prepareTrialsJson,
  csv: prepareTrialsCsv,
};

/** `assay trials`: every trial, newest jobs first, in directory order within a job. */
export async function runTrials(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    format: { type: "string" },
    json: { type: "boolean" },
  });
  const folder = parseOnlyOperand(positionals, "folder");
  const format = values.format ?? (values.json === true ? "json" : "table");
  const write = Object.hasOwn(WRITERS, format) ? WRITERS[format] : undefined;
  if (write === undefined) throw new UsageError(`Unknown format "${format}". It is table, json or csv.`);
  await writeAll(
    terminal.stdout,
    write(openFolders(terminal, [folder], parseSummation(undefined, terminal.env))),
  );
  return 0;
}

const COLUMNS: readonly TextColumn[] = [
  { heading: "job" },
  { heading: "trial" },
  { heading: "task" },
  { heading: "agent" },
  { heading: "model" },
  { heading: "attempt", align: "right" },
  { heading: "outcome" },
  { heading: "reward", align: "right" },
  { heading: "duration", align: "right" },
  { heading: "exception" },
];

function prepareTrialsTable({ jobs }: CatalogSnapshot): string[] {
  const rows = jobs.flatMap(({ job, trials }) =>
    trials.map((trial) => {
      const headline = selectHeadlineReward(trial.rewards);
      return [
        job.key,
        trial.trialName,
        trial.taskName,
        trial.agent,
        trial.model ?? MISSING,
        String(trial.attempt),
        trial.outcome,
        headline === null ? MISSING : dumpPythonJson(headline.value),
        formatDuration(computeDurationMs(trial.time)),
        trial.exception?.type ?? "",
      ];
    }),
  );
  return [formatTextTable(COLUMNS, rows)];
}
