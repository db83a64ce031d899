import { JOB_FIELDS, type ListedGroup } from "@/lib/core/fields/jobs.fields";

import { type ExportTable, toColumns, toJson } from "./table";

export const JOB_TABLE: ExportTable<ListedGroup> = {
  schema: "assay.jobs/2",
  list: "jobs",
  columns: toColumns(JOB_FIELDS),
  prepareJson: (row) => toJson(JOB_FIELDS, row),
};
