import type { JobParams } from "@/lib/addresses/job";
import type { TriageParams } from "@/lib/addresses/triage";
import type { HeatRow } from "@/lib/queries/triage/heat";
import type { FindingRow, TriagePage } from "@/lib/queries/triage/page";

type Filter = Partial<JobParams>;

/** The trials of a finding among those that the page's filter chooses, as a list of trials is filtered. */
export function selectTrials(row: FindingRow, params: TriageParams, page: TriagePage): Filter {
  const { kind, classes, clusterKey, tasks, place, oracle } = row;
  return {
    ...selectChosen(params, page, params.agents, place),
    failureClasses: classes,
    clusters: clusterKey === null ? [] : [clusterKey],
    tasks: kind === "alike" ? params.tasks : tasks,
    digests: oracle?.hasOtherVersions === true && oracle.version !== null ? [oracle.version] : [],
  };
}

/** The trials of a row of the map of classes, of any class, likewise. */
export function selectRow(
  { agentModel, taskName, place }: HeatRow,
  params: TriageParams,
  page: TriagePage,
): Filter {
  return {
    ...selectChosen(params, page, agentModel === null ? params.agents : [agentModel.name], place),
    tasks: taskName === null ? params.tasks : [taskName],
  };
}

/** Evals groups stand for agents with their models: an agent alone would find its other models too. */
function selectChosen(
  { jobs, reviewed, text }: TriageParams,
  { scope: { groupKeys } }: TriagePage,
  agents: readonly string[],
  place: FindingRow["place"],
): Filter {
  const [isReviewed, both] = reviewed;
  return {
    isOfAllJobs: true,
    jobs: place?.jobs ?? jobs,
    groups: place?.groups ?? [...new Set(agents.flatMap((name) => [...(groupKeys.get(name) ?? [])]))],
    isWithoutReference: agents.length === 0 && place === null,
    judgments: isReviewed === undefined || both !== undefined ? [] : [isReviewed === "yes" ? "any" : "none"],
    evidence: text,
  };
}
