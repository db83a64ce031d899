import { formatPlural } from "@/lib/core/format/number";
import type { ImportReport } from "@/lib/people/annotations";

import { makePrintable } from "./terminal";

const STATES: Readonly<Record<ImportReport["state"], string>> = {
  checked: "Checked, nothing written",
  done: "Imported",
  refused: "Nothing imported: fix the lines below first",
};

export function describeImport(report: ImportReport): readonly string[] {
  const { state, nLines, trials, errors, nErrors, conflicts, nConflicts, notes } = report;
  const counts = [
    formatPlural(report.nNew, "new judgment"),
    ...(report.nNewDecisions > 0 ? [formatPlural(report.nNewDecisions, "new decision")] : []),
    ...(report.nNewQueues > 0 ? [formatPlural(report.nNewQueues, "new queue")] : []),
    ...(report.nNewTags > 0 ? [formatPlural(report.nNewTags, "new tag")] : []),
    ...(report.nNewAnswers > 0 ? [formatPlural(report.nNewAnswers, "new answer")] : []),
    ...(report.nNewNotes > 0
      ? [formatPlural(report.nNewNotes, "new name or dismissal", "new names and dismissals")]
      : []),
    ...(report.nWithdrawn > 0 ? [`${report.nWithdrawn} undone`] : []),
    `${report.nKnown} already here`,
    ...(report.nRepeated > 0 ? [`${report.nRepeated} repeated`] : []),
    ...(report.nOlder > 0 ? [`${report.nOlder} older than here, skipped`] : []),
    formatPlural(nConflicts, "conflict"),
    formatPlural(nErrors, "invalid line"),
  ];
  return [
    `${STATES[state]}. ${formatPlural(nLines, "line")} about ${formatPlural(trials.length, "trial")}: ${counts.join(", ")}.`,
    ...notes,
    ...errors.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    ...listRest(nErrors - errors.length, "invalid line"),
    ...conflicts.map(
      ({ file, line, trialName, jobName, reviewerId, message }) =>
        `${file}:${line}: ${reviewerId} on ${trialName}${jobName === "" ? "" : ` of ${jobName}`}: ${message}`,
    ),
    ...listRest(nConflicts - conflicts.length, "conflict"),
  ].map((line) => `${makePrintable(line)}\n`);
}

function listRest(n: number, noun: string): readonly string[] {
  return n > 0 ? [`And ${formatPlural(n, `more ${noun}`)}.`] : [];
}

export function prepareImportJson(report: ImportReport): object {
  return {
    schema: "assay.import/1",
    state: report.state,
    n_lines: report.nLines,
    n_trials: report.trials.length,
    n_new: report.nNew,
    n_new_decisions: report.nNewDecisions,
    n_new_queues: report.nNewQueues,
    n_new_tags: report.nNewTags,
    n_new_answers: report.nNewAnswers,
    n_new_notes: report.nNewNotes,
    n_withdrawn: report.nWithdrawn,
    n_known: report.nKnown,
    n_repeated: report.nRepeated,
    n_older: report.nOlder,
    n_errors: report.nErrors,
    n_conflicts: report.nConflicts,
    notes: report.notes,
    errors: report.errors,
    conflicts: report.conflicts.map(({ file, line, kind, trialName, jobName, reviewerId, message }) => ({
      file,
      line,
      kind,
      trial_name: trialName,
      job_name: jobName,
      reviewer_id: reviewerId,
      message,
    })),
  };
}
