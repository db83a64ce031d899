import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import { computeDurationMs } from "@/lib/core/domain/clock-time";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { ListedTrial } from "@/lib/core/fields/trials.fields";
import { MISSING } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { formatTask } from "@/lib/core/format/words";
import { describeFailure, hasFailed } from "@/lib/core/triage/classified";
import { readReward } from "@/lib/core/verification";
import { makeTrialTable, writeExport, writeTextExport } from "@/lib/output/export";
import { readFailureSignals } from "@/lib/read/loader";

import { defineCommand, flag, parseChoice, parseOnlyOperand, option, UsageError } from "./command";
import { makeClassifier, readRules } from "./known-failures";
import { openFolders, parseSummation } from "./open-folders";
import { type Terminal, writeAll } from "./terminal";
import { formatTextTable, type TextColumn } from "./text-table";
import { readVersion } from "./version";
import { checkOutput, writeFileAtOnce } from "./write-file";

/** Runs `assay trials`: prints every trial, newest jobs first, in directory order within a job. */
export const trials = defineCommand({
  listed: { "trials DIR": "List trials" },
  usage: ["assay trials DIR [OPTIONS]"],
  about: "Lists the trials of every job in or below DIR.",
  options: {
    format: option(
      "FORMAT",
      "table (default, main fields), json (all fields, assay.trials/2), csv or parquet (one row per trial).",
    ),
    json: flag("The same as --format json."),
    output: option("FILE", "Write to FILE instead, outside DIR; required for Parquet."),
  },
  examples: ["assay trials jobs --format csv --output trials.csv"],
  buckets: "results",
  async run({ values, positionals }, terminal) {
    const folder = parseOnlyOperand(positionals, "folder");
    const format = parseChoice(
      values.format ?? (values.json ? "json" : "table"),
      ["table", "json", "csv", "parquet"],
      "format",
    );
    const { output } = values;
    if (output === undefined) {
      if (format === "parquet") throw new UsageError("Parquet is binary: set a file with --output FILE.");
      const snapshot = openAll(terminal, folder);
      await writeAll(
        terminal.stdout,
        format === "table" ? prepareTrialsTable(snapshot) : writeTrials(format, snapshot, terminal),
      );
      return 0;
    }
    checkOutput(output, folder);
    const snapshot = openAll(terminal, folder);
    const table = makeTrialTable(listRewardKeys(snapshot), false);
    const metadata = { "assay.version": readVersion() };
    await writeFileAtOnce(
      output,
      format === "table"
        ? prepareTrialsTable(snapshot)
        : writeExport(format, table, listTrials(snapshot, terminal), metadata),
    );
    return 0;
  },
});

function openAll(terminal: Terminal, folder: string): CatalogSnapshot {
  return openFolders(terminal, [folder], parseSummation(undefined, terminal.env));
}

function writeTrials(
  format: "csv" | "json",
  snapshot: CatalogSnapshot,
  terminal: Terminal,
): AsyncGenerator<string, void> {
  return writeTextExport(
    format,
    makeTrialTable(listRewardKeys(snapshot), false),
    listTrials(snapshot, terminal),
  );
}

const NOT_INDEXED = { nSteps: null, nErrors: null, review: null, runSets: [] } as const;

async function* listTrials(
  { roots, jobs }: CatalogSnapshot,
  terminal: Terminal,
): AsyncGenerator<ListedTrial> {
  const classify = makeClassifier(readRules(terminal, undefined), terminal);
  for (const { job, trials } of jobs) {
    const root = roots[job.root];
    for (const trial of trials) {
      const isRead = root !== undefined && hasFailed(trial);
      const facts = isRead ? await readFailureSignals({ ...root, index: job.root }, trial) : null;
      const failure = describeFailure(trial, facts && classify(facts));
      yield { job, root: root?.label ?? null, trial, failure, ...NOT_INDEXED };
    }
  }
}

function listRewardKeys({ jobs }: CatalogSnapshot): readonly string[] {
  const keys = new Set<string>();
  for (const { trials } of jobs) {
    for (const { rewards } of trials) for (const key of rewards?.keys() ?? []) keys.add(key);
  }
  return [...keys];
}

const COLUMNS: readonly TextColumn[] = [
  "job",
  "trial",
  "task",
  "agent",
  "model",
  { right: "attempt" },
  "outcome",
  { right: "reward" },
  { right: "duration" },
  "exception",
];

function prepareTrialsTable({ jobs }: CatalogSnapshot): string[] {
  const rows = jobs.flatMap(({ job, trials }) =>
    trials.map((trial) => {
      return [
        job.key,
        trial.trialName,
        formatTask(trial),
        trial.agent,
        trial.model ?? MISSING,
        String(trial.attempt),
        trial.outcome,
        readReward(trial.rewards)?.text ?? MISSING,
        formatDuration(computeDurationMs(trial.time)),
        selectFailure(trial)?.exception.type ?? "",
      ];
    }),
  );
  return [formatTextTable(COLUMNS, rows)];
}
