import { expect, test } from "vitest";

import { listShown } from "@/components/ui/table-columns";

import { JOBS_COLUMNS } from "./columns";

test("an address shows the columns it lists in its order, behind those that always show", () => {
  const usual = ["select", "job", "agent", "trials", "mean", "interval", "outcome"];
  usual.push("open", "reviewed", "cost", "finished", "check");
  expect(listShown(JOBS_COLUMNS, null)).toEqual(usual);
  const wanted = ["tasks", "cost", "nothing", "mean", "cost"];
  expect(listShown(JOBS_COLUMNS, wanted)).toEqual(["select", "job", "tasks", "cost", "mean"]);
  expect(listShown(JOBS_COLUMNS, [""])).toEqual(["select", "job"]);
});
