import { expect, test } from "vitest";

import { TRIAL_COLUMNS } from "@/components/job/trials/columns";
import { listShown } from "@/components/ui/table-columns";
import { type ExportTable, JOB_TABLE, makeListedTrialTable } from "@/lib/output/export";

import { JOBS_COLUMNS } from "./columns";

test.each([
  ["jobs", JOBS_COLUMNS, JOB_TABLE],
  ["trials", TRIAL_COLUMNS, makeListedTrialTable([])],
] as const)("every column of %s that names a field of downloads has it there", (_, columns, table) => {
  const fields = (table.columns as ExportTable<never>["columns"]).map(({ name }) => name);
  expect(fields).toEqual(expect.arrayContaining(columns.flatMap(({ meta }) => meta?.field ?? [])));
});

test("an address shows the columns it lists in its order, behind those that always show", () => {
  const usual = JOBS_COLUMNS.map(({ id }) => id).filter((id) => id !== "tasks");
  expect(listShown(JOBS_COLUMNS, null)).toEqual(usual);
  const wanted = ["tasks", "cost", "nothing", "mean", "cost"];
  expect(listShown(JOBS_COLUMNS, wanted)).toEqual(["select", "job", "tasks", "cost", "mean"]);
  expect(listShown(JOBS_COLUMNS, [""])).toEqual(["select", "job"]);
});
