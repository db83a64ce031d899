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

/** Filters by evals group: an agent alone would include its other models. */
function selectChosen(
  { jobs, datasets, reviewed, text }: TriageParams,
  { scope }: TriagePage,
  agents: readonly string[],
  place: FindingRow["place"],
): Filter {
  const [isReviewed, both] = reviewed;
  const isOfAll = datasets.length === 0;
  // Group keys name a dataset, but unnamed datasets may share keys, so that their jobs are listed too.
  const isOfJobs = isOfAll || datasets.every(isNamedDataset);
  const groupsOf = agents.length > 0 || isOfAll ? agents : scope.groupKeys.keys();
  const groups = new Set([...groupsOf].flatMap((name) => [...(scope.groupKeys.get(name) ?? [])]));
  return {
    isOfAllJobs: true,
    jobs: place?.jobs ?? (isOfJobs ? jobs : scope.jobs.map(({ key }) => key)),
    groups: place?.groups ?? [...groups],
    isWithoutReference: agents.length === 0 && place === null,
    judgments: isReviewed === undefined || both !== undefined ? [] : [isReviewed === "yes" ? "any" : "none"],
    evidence: text,
  };
}
