import { isNamedDataset } from "@/lib/core/domain/dataset";
import type { TriageParams } from "@/lib/pages/triage/address";
import type { HeatRow } from "@/lib/pages/triage/heat";
import type { FindingRow, TriagePage } from "@/lib/pages/triage/page";
import type { TrialsParams } from "@/lib/pages/trials/address";

type Filter = Partial<TrialsParams>;

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

export function selectRow(
  { agentModel, jobKey, taskNames, place }: HeatRow,
  params: TriageParams,
  page: TriagePage,
): Filter {
  return {
    ...selectChosen(params, page, agentModel === null ? params.agents : [agentModel.name], place),
    ...(jobKey === null ? {} : { jobs: [jobKey] }),
    tasks: taskNames ?? params.tasks,
  };
}

function selectChosen(
  params: TriageParams,
  { scope }: TriagePage,
  agents: readonly string[],
  place: FindingRow["place"],
): Filter {
  const { jobs, datasets, reviewed, text } = params;
  const [isReviewed, both] = reviewed;
  // Group keys name a dataset, but unnamed datasets may share keys, so that their jobs are listed too.
  const isOfJobs = datasets.length === 0 || datasets.every(isNamedDataset);
  return {
    isOfAllJobs: true,
    jobs: place?.jobs ?? (isOfJobs ? jobs : scope.jobs.map(({ key }) => key)),
    ...(place === null ? selectGroups(params, scope, agents) : { groups: place.groups }),
    isWithoutReference: agents.length === 0 && place === null,
    judgments: isReviewed === undefined || both !== undefined ? [] : [isReviewed === "yes" ? "any" : "none"],
    evidence: text,
  };
}

/** Filters by evals group, because an agent alone would include its other models, or by the names of datasets, which are shorter. */
function selectGroups(
  { datasets }: TriageParams,
  { groupKeys }: TriagePage["scope"],
  agents: readonly string[],
): Filter {
  if (agents.length === 0 && datasets.every(isNamedDataset))
    return { groups: [], datasets: datasets.map((id) => id.replace(/^~named:/u, "")) };
  const names = agents.length > 0 ? agents : [...groupKeys.keys()];
  return { groups: [...new Set(names.flatMap((name) => [...(groupKeys.get(name) ?? [])]))] };
}
