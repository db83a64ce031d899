import { listUnknownColumns } from "@/components/ui/table-columns";
import type { JobParams } from "@/lib/pages/job/address";

import { TASK_COLUMNS } from "./tasks/columns";
import { listTrialColumns } from "./trials/columns";

export function listUnknownJobColumns({ tab, columns }: JobParams): readonly string[] {
  if (tab === "tasks") return listUnknownColumns(TASK_COLUMNS, columns);
  return tab === "trials" ? listUnknownColumns(listTrialColumns({ isOfAllJobs: false }), columns) : [];
}
