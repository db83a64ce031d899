import "server-only";

import type { JobFilter } from "@/lib/domain/job-filter";
import { formatCsvLine } from "@/lib/format/csv";
import { dumpPythonJson } from "@/lib/scoring";
import { type IndexStore, type JobHead, readRewardKeys } from "@/lib/store";

import { listTrials, type TrialsRow } from "./job-page-trials";

type ReadField = (row: TrialsRow) => string | number | null;

const FIELDS: readonly (readonly [string, ReadField])[] = [
  ["trial_name", ({ trial }) => trial.trialName],
  ["task_name", ({ trial }) => trial.taskName],
  ["attempt", ({ trial }) => trial.attempt],
  ["agent", ({ trial }) => trial.agent],
  ["model", ({ trial }) => trial.model],
  ["source", ({ trial }) => trial.source],
  ["evals_group", (row) => row.groupKey],
  ["state", ({ trial }) => trial.state],
  ["outcome", ({ trial }) => trial.outcome],
  ["exception_type", ({ trial }) => trial.exception?.type ?? null],
  ["judgment", ({ judgments }) => judgments?.judgment ?? null],
  ["disagrees", ({ judgments }) => (judgments === null ? null : String(judgments.disagrees))],
  ["started_at", ({ trial }) => trial.time.startedAt?.text ?? null],
  ["finished_at", ({ trial }) => trial.time.finishedAt?.text ?? null],
  ["duration_ms", (row) => row.durationMs],
  ["n_input_tokens", ({ trial }) => trial.tokens.inputTokens],
  ["n_cache_tokens", ({ trial }) => trial.tokens.cacheTokens],
  ["n_output_tokens", ({ trial }) => trial.tokens.outputTokens],
  ["cost_usd", ({ trial }) => trial.tokens.costUsd],
  ["folder", ({ trial }) => trial.folder],
  ["id", ({ trial }) => trial.id],
];

/**
 * The trials that fit the filter as CSV with a heading, a piece at a time; an empty field is a missing value. Every reward
 * key of the job has a column `reward:KEY` with Python's text of the value.
 */
export async function* streamTrialsCsv(
  store: IndexStore,
  entry: JobHead,
  filter: JobFilter,
): AsyncGenerator<string> {
  const keys = await readRewardKeys(store, entry.id);
  let lines = formatCsvLine([...FIELDS.map(([name]) => name), ...keys.map((key) => `reward:${key}`)]);
  for await (const row of listTrials(store, entry, filter)) {
    const rewards = keys.map((key) => {
      const value = row.trial.rewards?.get(key);
      return value === undefined ? null : dumpPythonJson(value);
    });
    lines += formatCsvLine([...FIELDS.map(([, read]) => read(row)), ...rewards]);
    if (lines.length < PIECE_CHARS) continue;
    yield lines;
    lines = "";
  }
  yield lines;
}

const PIECE_CHARS = 64_000;
