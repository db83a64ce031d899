import { AgentName } from "@/components/ui/agent-name";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { type Tab, Tabs } from "@/components/ui/tabs";
import { readCost } from "@/lib/core/domain/spending";
import { formatCost, MISSING } from "@/lib/core/format/number";
import { capitalise, COPIED_COST_WORDS, formatTask, OUTCOME_WORDS } from "@/lib/core/format/words";
import { trialTaskHref } from "@/lib/pages/tasks/address";
import { listShownTabs, openTrialHref, type TrialTab } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import { TrialNeighbours } from "./trial-neighbours";
import type { ShownTrial } from "./trial-parts";

export function TrialTitle({ page }: { page: ShownTrial }) {
  const { trial, hidden } = page;
  const costUsd = readCost(trial);
  const task = formatTask(trial);
  const own = task.slice(task.lastIndexOf("/") + 1);
  const name = (
    <>
      <span className="trial-prefix">{task.slice(0, task.length - own.length)}</span>
      {own}
    </>
  );
  return (
    <div className="row trial-title">
      {hidden.includes("verifier") ? null : (
        <Mark status={trial.outcome} size={16} label={capitalise(OUTCOME_WORDS[trial.outcome])} />
      )}
      <h1 className="cut" title={task}>
        {/* A queue hides the results of others. */}
        {page.at.queue === null && trial.taskName !== "" ? (
          <Link className="quiet" href={trialTaskHref(trial)}>
            {name}
          </Link>
        ) : (
          name
        )}
      </h1>
      {hidden.includes("agent") ? (
        <span className="muted nowrap">agent hidden</span>
      ) : (
        <AgentName identity={page.identity} agent={trial.agent} model={trial.model} />
      )}
      {costUsd === null ? null : (
        <span
          className="muted nowrap trial-cost"
          title={trial.sourceTrial === null ? undefined : COPIED_COST_WORDS}
        >
          ${formatCost(costUsd)}
          {trial.sourceTrial === null ? "" : ", copied"}
        </span>
      )}
      <TrialNeighbours page={page} />
    </div>
  );
}

export function nameTrial({ trial, neighbours }: TrialPage): string {
  if (neighbours.nAttempts < 2) return formatTask(trial);
  return `${formatTask(trial)}, ${trial.agent}, attempt ${trial.attempt}`;
}

const LABELS: Readonly<Record<TrialTab, string>> = {
  trajectory: "Trace",
  steps: "Steps",
  tests: "Tests",
  evaluation: "Evidence",
  files: "Files",
  log: "Log",
  config: "Config",
};

/** Steps is shown only if the trial has several. */
export function TrialTabs({ page }: { page: ShownTrial }) {
  const { at, trial } = page;
  const current = page.search.tab;
  const counts: Partial<Record<TrialTab, Tab["count"]>> = {
    trajectory: page.unreadSteps === null ? page.nSteps : MISSING,
    steps: trial.steps?.length ?? null,
    tests: page.testTally === null ? null : (page.testTally.nTests ?? MISSING),
    files: page.lock === null ? page.nFiles : MISSING,
  };
  return (
    <Tabs
      label="Parts of the trial"
      current={current}
      tabs={listShownTabs(page.hidden)
        .filter((tab) => tab !== "steps" || trial.steps !== null || current === "steps")
        .map((tab) => ({
          id: tab,
          label: LABELS[tab],
          href: openTrialHref(at, { tab }),
          count: counts[tab] ?? null,
        }))}
    />
  );
}
