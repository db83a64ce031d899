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
  { jobs, datasets, reviewed, text }: TriageParams,
  { scope }: TriagePage,
  agents: readonly string[],
  place: FindingRow["place"],
): Filter {
  const [isReviewed, both] = reviewed;
  const isOfAll = datasets.length === 0;
  // Keys of groups name a dataset, but equal keys may be of several without a name.
  const groupsOf = agents.length > 0 || isOfAll ? agents : scope.groupKeys.keys();
  const groups = new Set([...groupsOf].flatMap((name) => [...(scope.groupKeys.get(name) ?? [])]));
  return {
    isOfAllJobs: true,
    jobs: place?.jobs ?? (isOfAll ? jobs : scope.jobs.map(({ key }) => key)),
    groups: place?.groups ?? [...groups],
    isWithoutReference: agents.length === 0 && place === null,
    judgments: isReviewed === undefined || both !== undefined ? [] : [isReviewed === "yes" ? "any" : "none"],
    evidence: text,
  };
}
