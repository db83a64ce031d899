import { jobPageHref, type JobParams } from "@/lib/addresses/job";
import { AgentName } from "@/components/ui/agent-name";
import { Section } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { SoftLink } from "@/components/ui/soft-link";
import { type Column, Table } from "@/components/ui/table";
import type { RubricSort } from "@/lib/domain/rubric";
import { trialHref } from "@/lib/addresses/href";
import { formatCount, formatPlural, formatReward, MISSING } from "@/lib/format/number";
import type { JobGroup, JobPage } from "@/lib/queries/job/page";
import type { RubricBench } from "@/lib/queries/job/rubric";
import type { RecomputedTrial } from "@/lib/queries/job/rubric-trials";

import { type CountRows, NoJobRows } from "../filters";
import { FIT_WORDS, formatChange, ROLLUP_WORDS } from "./rubric-words";

/** Every trial of the family with its reward as stored and under the rubric, the greatest change first. */
export function RubricTrials({
  page,
  bench,
  params,
  count,
}: {
  page: JobPage;
  bench: RubricBench;
  params: JobParams;
  count: CountRows;
}) {
  const { key } = page.entry.job;
  const groups = new Map(page.groups.map((group) => [group.group.key, group]));
  const sortable = (sort: RubricSort): Pick<Column, "sortHref" | "sorted"> => {
    const isSorted = params.rubricSort === sort;
    const descending = isSorted ? !params.descending : sort !== "task";
    return {
      sortHref: jobPageHref(key, params, { rubricSort: sort, descending }),
      sorted: isSorted ? (params.descending ? "desc" : "asc") : null,
    };
  };
  const columns: readonly Column[] = [
    { id: "task", label: "Task and attempt", ...sortable("task") },
    { id: "agent", label: "Agent and model" },
    { id: "stored", label: "Stored", numeric: true, ...sortable("stored") },
    { id: "recomputed", label: "Recomputed", numeric: true, ...sortable("recomputed") },
    { id: "change", label: "Change", numeric: true, ...sortable("change") },
    { id: "fit", label: "The stored reward" },
  ];
  const isCut = bench.nMatching < bench.family.nTrials;
  const shown = isCut
    ? `${formatCount(bench.nMatching)} of ${formatPlural(bench.family.nTrials, "trial")}; `
    : "";
  return (
    <Section
      title="Trials"
      note={`${shown}${formatCount(bench.nChanged)} change by the ${ROLLUP_WORDS[bench.rollup]}`}
    >
      {bench.rows.length === 0 ? (
        <NoJobRows noun="trial" jobKey={key} params={params} count={count} />
      ) : (
        <Table caption="Trials with their stored and recomputed reward" columns={columns}>
          <tbody>
            {bench.rows.map((row) => (
              <TrialLine key={row.trial.key} row={row} jobKey={key} group={groups.get(row.trial.groupKey)} />
            ))}
          </tbody>
        </Table>
      )}
      <Pager
        page={bench}
        noun="trial"
        label="Pages of the trials"
        hrefOf={(to) => jobPageHref(key, params, { page: to })}
      />
    </Section>
  );
}

function TrialLine({
  row: { trial, recomputed, change },
  jobKey,
  group,
}: {
  row: RecomputedTrial;
  jobKey: string;
  group: JobGroup | undefined;
}) {
  return (
    <tr>
      <td className="name">
        <SoftLink href={trialHref(jobKey, trial.key)} data-row-link="">
          {trial.taskName} <span className="muted">{trial.attempt}</span>
        </SoftLink>
      </td>
      <td>
        {group === undefined ? (
          trial.groupKey
        ) : (
          <AgentName identity={group.identity} agent={group.group.agent} model={group.group.model} />
        )}
      </td>
      <td className={trial.rewardText === null ? "numeric unknown" : "numeric"}>
        {trial.rewardText ?? MISSING}
      </td>
      <td className={recomputed === null ? "numeric unknown" : "numeric"}>{formatReward(recomputed, 4)}</td>
      <td className={change === null ? "numeric unknown" : change === 0 ? "numeric zero" : "numeric"}>
        {change === null ? MISSING : formatChange(change)}
      </td>
      <td className={trial.fit === "other" ? undefined : "muted"}>
        {FIT_WORDS[trial.fit ?? "no_dimensions"]}
      </td>
    </tr>
  );
}
