import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import { computeDurationMs } from "@/lib/core/domain/clock-time";
import type { JobRecord } from "@/lib/core/domain/job";
import type { Trial } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { ListedTrial } from "@/lib/core/fields/trials.fields";
import { MISSING } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { formatTask } from "@/lib/core/format/words";
import { describeFailure, hasFailed } from "@/lib/core/triage/classified";
import { readReward } from "@/lib/core/verification";
import { makeTrialTable, writeExport } from "@/lib/output/export";
import { readFailureSignals } from "@/lib/read/loader";

import {
  defineCommand,
  flag,
  parseChoice,
  parseOnlyOperand,
  option,
  UsageError,
  parseSummation,
} from "./command";
import { makeClassifier, readRules } from "./known-failures";
import { openFolders } from "./open-folders";
import { checkOutput, writeFileAtOnce } from "./output-file";
import { type Terminal, readVersion, writeAll } from "./terminal";
import { formatRows, type Column } from "./text-table";

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
    if (format === "parquet" && output === undefined)
      throw new UsageError("Parquet is binary: set a file with --output FILE.");
    if (output !== undefined) checkOutput(output, folder);
    const snapshot = openFolders(terminal, [folder], parseSummation(undefined, terminal.env));
    const table = makeTrialTable(listRewardKeys(snapshot), false);
    const pieces =
      format === "table"
        ? prepareTrialsTable(snapshot)
        : writeExport(format, table, listTrials(snapshot, terminal), { "assay.version": readVersion() });
    if (output !== undefined) await writeFileAtOnce(output, pieces);
    else await writeAll(terminal.stdout, pieces);
    return 0;
  },
});

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
  return [
    ...new Set(jobs.flatMap(({ trials }) => trials.flatMap(({ rewards }) => [...(rewards?.keys() ?? [])]))),
  ];
}

const COLUMNS: readonly Column<{ readonly job: JobRecord; readonly trial: Trial }>[] = [
  ["job", ({ job }) => job.key],
  ["trial", ({ trial }) => trial.trialName],
  ["task", ({ trial }) => formatTask(trial)],
  ["agent", ({ trial }) => trial.agent],
  ["model", ({ trial }) => trial.model ?? MISSING],
  [{ right: "attempt" }, ({ trial }) => String(trial.attempt)],
  ["outcome", ({ trial }) => trial.outcome],
  [{ right: "reward" }, ({ trial }) => readReward(trial.rewards)?.text ?? MISSING],
  [{ right: "duration" }, ({ trial }) => formatDuration(computeDurationMs(trial.time))],
  ["exception", ({ trial }) => selectFailure(trial)?.exception.type ?? ""],
];

function prepareTrialsTable({ jobs }: CatalogSnapshot): string[] {
  return [
    formatRows(
      jobs.flatMap(({ job, trials }) => trials.map((trial) => ({ job, trial }))),
      COLUMNS,
    ),
  ];
}
