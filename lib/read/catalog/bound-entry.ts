import type { TrialDerivedDetails } from "@/lib/core/domain/breakdown";
import type { JobEntry } from "@/lib/core/domain/catalog";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { MAX_TRIAL_ITEMS, TextBounder } from "@/lib/core/domain/text-bounder";
import { type Trial, listStepNames } from "@/lib/core/domain/trial";
import type { Figure } from "@/lib/core/domain/verification";
import { mayHideCrash } from "@/lib/core/domain/verifier-check";
import {
  type LoadRoot,
  prepareIssue,
  readLedgerDerivedDetails,
  readTrialDerivedDetails,
} from "@/lib/read/loader";

/** Limit for each list of a job; a job with more trials may have as many entries. */
const MAX_JOB_ITEMS = 10_000;
const MAX_FIGURES = 5000;

/**
 * Shortens names, texts and lists for pages. Call it after every computation on the whole values. Reports cuts as issues.
 */
export function boundEntry(entry: JobEntry, root: LoadRoot): JobEntry {
  const { trials: _trials, issues, report, job, ...rest } = entry;
  const own = new TextBounder(Math.max(MAX_JOB_ITEMS, entry.trials.length));
  const cut: JobEntry["issues"][number][] = [];
  const say = (folder: string, bounder: TextBounder): void => {
    const detail = bounder.describe();
    if (detail !== null) cut.push(prepareIssue(root, "text_too_long", folder, detail));
  };
  const trials = entry.trials.map((trial) => {
    const bounder = new TextBounder(MAX_TRIAL_ITEMS);
    const bound = bounder.bound(trial);
    say(trial.folder === "" ? job.folder : trial.folder, bounder);
    return bound;
  });
  const figures = limitFigures(own, report.figures);
  const { recorded, plan, resultBytes, ...named } = job;
  const bound = {
    ...own.bound(rest),
    job: { ...own.bound(named), recorded, plan, resultBytes },
    report: { ...own.bound({ ...report, figures: [] }), figures: own.boundEach(figures) },
    trials,
    issues,
  };
  say(job.folder, own);
  return cut.length === 0 ? bound : { ...bound, issues: [...issues, ...cut] };
}

/** Keeps the order. Mismatches come first if there are too many figures. */
function limitFigures(bounder: TextBounder, figures: readonly Figure[]): readonly Figure[] {
  // The index never leaves out a trial, so it keeps the trial's own figure too.
  const isOfTrial = ({ kind }: Figure) => kind === "reward-file";
  const others = figures.filter((figure) => !isOfTrial(figure));
  if (others.length <= MAX_FIGURES) return figures;
  bounder.note("figures", others.length, MAX_FIGURES, "entries");
  const wrong = others.filter(({ verdict }) => verdict === "mismatch");
  const kept = new Set([...new Set([...wrong, ...others])].slice(0, MAX_FIGURES));
  return figures.filter((figure) => isOfTrial(figure) || kept.has(figure));
}

export async function readBoundDetails(
  root: LoadRoot,
  trial: Trial,
): Promise<{ readonly derivedDetails: TrialDerivedDetails; readonly issues: readonly LoadIssue[] }> {
  const steps = listStepNames(trial);
  const { derivedDetails, issues } =
    trial.ledger === null
      ? await readTrialDerivedDetails(root, trial.folder, steps, mayHideCrash(trial))
      : readLedgerDerivedDetails(root, trial.folder);
  const bounder = new TextBounder(MAX_TRIAL_ITEMS);
  const bound = bounder.bound(derivedDetails);
  const detail = bounder.describe();
  const cut = detail === null ? [] : [prepareIssue(root, "text_too_long", trial.folder, detail)];
  return { derivedDetails: bound, issues: [...issues, ...cut] };
}
