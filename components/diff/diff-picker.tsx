import { AgentName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { formatCost, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { OUTCOME_WORDS, formatTask } from "@/lib/core/format/words";
import { diffHref, type DiffParams, type TrialRef } from "@/lib/pages/diff/address";
import type { DiffTrial, getPicker, PickedAttempt } from "@/lib/pages/diff/page";

import { DiffHead } from "./diff-title";

export function DiffPicker({
  trial,
  picker,
  params,
}: {
  trial: DiffTrial;
  picker: Awaited<ReturnType<typeof getPicker>>;
  params: DiffParams;
}) {
  const { at } = trial;
  const a = { jobKey: at.jobKey, trialKey: at.trialKey };
  return (
    <>
      <PageTitle
        title={formatTask(trial.trial)}
        suffix="side by side"
        summary={`Choose another attempt at this task: ${formatPlural(picker.nMatching, "other attempt")} in the open jobs, other verdicts first.`}
      />
      <div className="diff-heads">
        <DiffHead letter="A" trial={trial} />
      </div>
      {picker.nMatching === 0 ? (
        <Notice title="No other attempt at this task is open">
          Open another folder with attempts at it, or set any other trial as b in the URL:
          /diff?a=JOB/TRIAL&amp;b=JOB/TRIAL.
        </Notice>
      ) : (
        <DataTable
          caption="Other attempts at this task"
          columns={listColumns(a)}
          rows={picker.rows}
          rowKey={({ jobKey, key }) => `${jobKey} ${key}`}
        />
      )}
      <Pager
        page={picker}
        noun="attempt"
        label="Pages of the attempts"
        hrefOf={(page) => diffHref({ ...params, page })}
      />
    </>
  );
}

function listColumns(a: TrialRef): readonly DataColumn<PickedAttempt>[] {
  return [
    column(
      "Reward",
      ({ outcome, rewardText }) => (
        <span className="status-word">
          <Mark status={outcome} label={OUTCOME_WORDS[outcome]} />
          {rewardText ?? <Unknown />}
        </span>
      ),
      { phone: "score", width: 96 },
    ),
    column(
      "Attempt",
      ({ jobKey, key, jobName, attempt }) => (
        <Link href={diffHref({ a, b: { jobKey, trialKey: key } })} data-row-link="">
          {jobName}, attempt {attempt}
        </Link>
      ),
      { className: "name", phone: "first" },
    ),
    column(
      "Agent",
      ({ identity, agent, model }) => <AgentName identity={identity} agent={agent} model={model} />,
      { phone: "second" },
    ),
    column("Duration", ({ durationMs }) => formatDuration(durationMs), { numeric: true, phone: "second" }),
    column("Cost, $", ({ costUsd }) => formatCost(costUsd), { numeric: true, phone: "labelled" }),
  ];
}
