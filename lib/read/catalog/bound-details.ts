import type { TrialDerivedDetails } from "@/lib/core/domain/breakdown";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { MAX_TRIAL_ITEMS, TextBounder } from "@/lib/core/domain/text-bounder";
import { listStepNames, type Trial } from "@/lib/core/domain/trial";
import { mayHideCrash } from "@/lib/core/domain/verifier-check";
import {
  type LoadRoot,
  prepareIssue,
  readLedgerDerivedDetails,
  readTrialDerivedDetails,
} from "@/lib/read/loader";

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
