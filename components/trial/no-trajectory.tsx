import { trialPageHref } from "@/lib/addresses/trial";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { TrialPage } from "@/lib/queries/trial/page";

/** Why there are no steps to show, and where else to look. */
export function NoTrajectory({ page }: { page: TrialPage }) {
  const { entry, trial, nSteps, unreadSteps, nFiles } = page;
  const href = (tab: "files" | "log") => trialPageHref(entry.job.key, trial.key, { tab });
  const actions =
    nFiles === null || nFiles === 0 ? undefined : (
      <>
        <ButtonLink href={href("log")}>Open the log</ButtonLink>
        <ButtonLink href={href("files")}>All files</ButtonLink>
      </>
    );
  if (trial.ledger !== null) {
    return (
      <Notice
        title="No trajectory to walk through"
        actions={
          <>
            <ButtonLink href={trialPageHref(entry.job.key, trial.key, { tab: "config" })}>
              Open the record
            </ButtonLink>
            {nFiles !== null && nFiles > 1 ? <ButtonLink href={href("files")}>All files</ButtonLink> : null}
          </>
        }
      >
        A ledger keeps what agents did in files of its own. Those that the record names and that lie in the
        opened folder are under Files.
      </Notice>
    );
  }
  if (unreadSteps !== null) {
    return (
      <Notice title="The trajectory cannot be read" tone="error" actions={actions}>
        {unreadSteps.path}: {unreadSteps.detail}
      </Notice>
    );
  }
  if (nSteps !== null) return <Notice title="The trajectory holds no steps" actions={actions} />;
  return (
    <Notice title="No trajectory" actions={actions}>
      {nFiles === null
        ? "This trial has no folder: it was planned or counted by its job, and nothing of it is left."
        : trial.state === "running"
          ? "The trial is still running. Most agents write agent/trajectory.json when they end."
          : "The trial folder has no agent/trajectory.json. Not every agent writes one, and a run that was stopped may leave none."}
    </Notice>
  );
}
