import type { JobEntry } from "@/lib/domain/catalog";
import { MAX_TRIAL_ITEMS, TextBounder } from "@/lib/domain/text-bounder";
import type { ScoredTrial, TrialRecord } from "@/lib/domain/trial";
import type { Figure } from "@/lib/domain/verification";
import { type LoadRoot, prepareIssue } from "@/lib/loader";

/** Entries of any list of a job, or as many as it has trials: what its plan, its statistics and its config name. */
const MAX_JOB_ITEMS = 10_000;
/** Figures of a job beside those of single trials. */
const MAX_FIGURES = 5000;

/** A job as the index keeps it, and the folders of trials that the index does not keep whole. */
export interface BoundEntry<Trial extends ScoredTrial> {
  readonly entry: JobEntry<Trial>;
  readonly cutFolders: ReadonlySet<string>;
}

/** Conversions between a trial held in memory and its full record. */
export interface TrialForm<Trial> {
  readonly complete: (trial: Trial) => TrialRecord;
  readonly hold: (trial: TrialRecord) => Trial;
}

/**
 * The job with every name, text and list of it short enough for any page, to be called once everything was computed from the
 * whole ones. An issue of the trial or the job says what was cut; the files are as they were.
 */
export function boundEntry<Trial extends ScoredTrial>(
  entry: JobEntry<Trial>,
  root: LoadRoot,
  { complete, hold }: TrialForm<Trial>,
): BoundEntry<Trial> {
  const { trials: _trials, issues, report, job, ...rest } = entry;
  const own = new TextBounder(Math.max(MAX_JOB_ITEMS, entry.trials.length));
  const cut: JobEntry["issues"][number][] = [];
  const cutFolders = new Set<string>();
  const say = (folder: string, bounder: TextBounder): boolean => {
    const detail = bounder.describe();
    if (detail !== null) cut.push(prepareIssue(root, "text_too_long", folder, detail));
    return detail !== null;
  };
  const trials = entry.trials.map((trial) => {
    const bounder = new TextBounder(MAX_TRIAL_ITEMS);
    const whole = complete(trial);
    const bound = bounder.bound(whole);
    if (say(trial.folder === "" ? job.folder : trial.folder, bounder)) cutFolders.add(trial.folder);
    return bound === whole ? trial : hold(bound);
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
  return { entry: cut.length === 0 ? bound : { ...bound, issues: [...issues, ...cut] }, cutFolders };
}

/** The figures, in their order; those that do not hold before others where there are too many to list. */
function limitFigures(bounder: TextBounder, figures: readonly Figure[]): readonly Figure[] {
  // A trial's own figure is as much worth as the trial, which is never left out.
  const isOfTrial = ({ kind }: Figure) => kind === "reward-file";
  const others = figures.filter((figure) => !isOfTrial(figure));
  if (others.length <= MAX_FIGURES) return figures;
  bounder.note("figures", others.length, MAX_FIGURES, "entries");
  const wrong = others.filter(({ verdict }) => verdict === "mismatch");
  const kept = new Set([...new Set([...wrong, ...others])].slice(0, MAX_FIGURES));
  return figures.filter((figure) => isOfTrial(figure) || kept.has(figure));
}
