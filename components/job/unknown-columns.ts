import { listUnknownColumns } from "@/components/ui/table-columns";
import type { JobParams } from "@/lib/pages/job/address";

import { TASKS_COLUMNS } from "./tasks/columns";
import { listTrialColumns } from "./trials/columns";

export function listUnknownJobColumns(params: JobParams): readonly string[] {
  if (params.tab === "tasks" || params.tab === "errors")
    return listUnknownColumns(TASKS_COLUMNS, params.columns);
  return params.tab === "trials"
    ? listUnknownColumns(listTrialColumns({ isOfAllJobs: false }), params.columns)
    : [];
}
