import { AgentName } from "@/components/ui/agent-name";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page-title";
import { type Tab, Tabs } from "@/components/ui/tabs";
import { TimeText } from "@/components/ui/time-text";
import { computeDurationMs } from "@/lib/core/domain/clock-time";
import { readCost } from "@/lib/core/domain/spending";
import { sumTokens } from "@/lib/core/domain/trial";
import { formatCost, formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { COPIED_COST_WORDS, formatTask } from "@/lib/core/format/words";
import { trialTaskHref } from "@/lib/pages/tasks/address";
import { listShownTabs, openTrialHref, type TrialTab } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import { TrialNeighbours } from "./trial-neighbours";
import { ShowAllOf, type ShownTrial } from "./trial-parts";

export function TrialTitle({ page }: { page: ShownTrial }) {
  const { trial, neighbours } = page;
  const { nAttempts } = neighbours;
  const lastTime = trial.time.finishedAt ?? trial.time.startedAt;
  return (
    <div className="trial-title">
      <PageTitle
        title={
          // A queue hides the results of others.
          page.at.queue === null && trial.taskName !== "" ? (
            <Link className="quiet" href={trialTaskHref(trial)} title="Every attempt at this task">
              {trial.taskName}
            </Link>
          ) : (
            formatTask(trial)
          )
        }
        suffix={nAttempts > 1 ? `attempt ${trial.attempt} of ${nAttempts}` : undefined}
        summary={
          <span className="trial-summary">
            {page.hidden.includes("agent") ? (
              <span className="muted">agent hidden</span>
            ) : (
              <AgentName identity={page.identity} agent={trial.agent} model={trial.model} />
            )}
            <span>
              {describeRun(page)}
              {lastTime === null ? null : (
                <>
                  {trial.time.finishedAt === null ? ", started " : ", finished "}
                  <TimeText time={lastTime} />
                </>
              )}
            </span>
            <ShowAllOf page={page} file={page.recordFile} />
          </span>
        }
        actions={<TrialNeighbours page={page} />}
      />
    </div>
  );
}

export function nameTrial({ trial, neighbours }: TrialPage): string {
  if (neighbours.nAttempts < 2) return formatTask(trial);
  return `${formatTask(trial)}, ${trial.agent}, attempt ${trial.attempt}`;
}

function describeRun({ trial, nSteps, unreadSteps }: TrialPage): string {
  const costUsd = readCost(trial);
  const tokens = sumTokens(trial.tokens);
  const durationMs = computeDurationMs(trial.time);
  const copied = trial.sourceTrial === null ? "" : ` (${COPIED_COST_WORDS})`;
  const facts = [
    durationMs === null ? `duration ${MISSING}` : formatDuration(durationMs),
    tokens === null ? `tokens ${MISSING}` : `${formatCount(tokens)} tokens`,
    `${costUsd === null ? `cost ${MISSING}` : `$${formatCost(costUsd)}`}${copied}`,
    ...describeUser(trial.simulatedUser),
    unreadSteps !== null
      ? `steps ${MISSING}`
      : nSteps === null
        ? "no trajectory"
        : formatPlural(nSteps, "step"),
  ];
  return facts.join(", ");
}

function describeUser(user: TrialPage["trial"]["simulatedUser"]): readonly string[] {
  if (user === null) return [];
  const costUsd = readCost(user);
  return [
    `simulated user ${formatCount(sumTokens(user.tokens))} tokens and ${costUsd === null ? MISSING : `$${formatCost(costUsd)}`}`,
  ];
}

const LABELS: Readonly<Record<TrialTab, string>> = {
  trajectory: "Trajectory",
  steps: "Steps",
  tests: "Tests",
  evaluation: "Evaluation",
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
