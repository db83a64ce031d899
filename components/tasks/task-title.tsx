import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page-title";
import { formatCount, formatPlural, formatReward } from "@/lib/core/format/number";
import { taskHref } from "@/lib/pages/tasks/address";
import type { TaskPage } from "@/lib/pages/tasks/page";

import { queueTaskHref, taskTrialsHref } from "./task-links";
import { formatInterval } from "./task-words";

export function TaskTitle({ page }: { page: TaskPage }) {
  const { taskName, dataset, otherDatasets } = page;
  return (
    <>
      <PageTitle
        title={taskName}
        suffix={dataset.isNamed ? dataset.label : "no dataset stated"}
        summary={describe(page)}
        actions={
          <>
            <ButtonLink href={taskTrialsHref(taskName, page.groups)}>Trials</ButtonLink>
            <ForAction action="makeQueueAction">
              <ButtonLink href={queueTaskHref(taskName, page.groups)}>Queue for review</ButtonLink>
            </ForAction>
          </>
        }
      />
      {otherDatasets.length === 0 ? null : (
        <p className="caption task-elsewhere">
          A task of this name is also in{" "}
          {otherDatasets.map(({ id, label, isNamed }, nth) => (
            <span key={id}>
              {nth === 0 ? "" : ", "}
              <Link href={taskHref(taskName, { dataset: id })}>{isNamed ? label : "no dataset"}</Link>
            </span>
          ))}
          .
        </p>
      )}
    </>
  );
}

function describe({ rate, nAgents, nJobs, ...page }: TaskPage): string {
  const passed =
    rate.kind === "unavailable"
      ? "No agent’s attempt has ended."
      : `${formatCount(rate.count)} of ${formatPlural(rate.n, "attempt")} passed, ${formatReward(rate.rate, 2)}, 95 % interval ${formatInterval(rate)}; ${formatPlural(nAgents, "agent")}, ${formatPlural(nJobs, "job")}.`;
  const notes = [
    page.nOtherVersion === 0
      ? ""
      : `${formatPlural(page.nOtherVersion, "attempt")} at another version not counted.`,
    page.nUnended === 0
      ? ""
      : `${formatPlural(page.nUnended, "attempt")} running or without a readable result.`,
    page.nUncounted === 0
      ? ""
      : `${formatPlural(page.nUncounted, "attempt")} left out by the rule of their job: invalid or without a reward.`,
    page.nRegraded === 0 ? "" : `${formatPlural(page.nRegraded, "regrade")} left out.`,
    page.isCut ? "Attempts of older jobs are left out." : "",
  ];
  return [passed, ...notes.filter((note) => note !== "")].join(" ");
}
