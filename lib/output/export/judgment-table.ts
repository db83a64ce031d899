import { type ExportedJudgment, JUDGMENT_FIELDS } from "@/lib/core/fields/judgments.fields";

import { type ExportTable, toColumns } from "./table";

export const JUDGMENT_TABLE: ExportTable<ExportedJudgment> = {
  schema: "assay.judgments/1",
  list: "judgments",
  columns: toColumns(JUDGMENT_FIELDS),
  prepareJson: ({ annotation }) => annotation,
};
