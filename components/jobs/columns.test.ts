import { expect, test } from "vitest";

import { listShown } from "@/components/ui/table-columns";
import { JOB_TABLE } from "@/lib/export";

import { JOBS_COLUMNS } from "./columns";

test("every column that names a field of downloads has it there", () => {
  const fields = JOB_TABLE.columns.map(({ name }) => name);
  expect(fields).toEqual(expect.arrayContaining(JOBS_COLUMNS.flatMap(({ meta }) => meta?.field ?? [])));
});

test("an address shows the columns it lists in its order, behind those that always show", () => {
  const all = JOBS_COLUMNS.map(({ id }) => id);
  expect(listShown(JOBS_COLUMNS, null)).toEqual(all);
  expect(listShown(JOBS_COLUMNS, ["cost", "nothing", "mean", "cost"])).toEqual([
    "select",
    "job",
    "cost",
    "mean",
  ]);
  expect(listShown(JOBS_COLUMNS, [""])).toEqual(["select", "job"]);
});
