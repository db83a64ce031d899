import { expect, test } from "vitest";

import { type DataColumn, makeTable } from "./table-columns";

const COLUMNS: readonly DataColumn<{ readonly name: string }>[] = [
  { id: "name", header: "Name", cell: ({ name }) => name },
  { id: "cost", header: "Cost", cell: () => null, isFilled: () => false, meta: { sort: "cost" } },
];

function listVisible(wanted: readonly string[] | null, sort: string): readonly string[] {
  const order = { sorts: ["name", "cost"], sort, descending: false, hrefOf: () => "/" as const };
  return makeTable(COLUMNS, [{ name: "a" }], wanted, order)
    .getVisibleLeafColumns()
    .map(({ id }) => id);
}

test("a column without values is hidden, unless it was added or orders the rows", () => {
  expect(listVisible(null, "name")).toEqual(["name"]);
  expect(listVisible(["cost"], "name")).toEqual(["cost"]);
  expect(listVisible(null, "cost")).toEqual(["name", "cost"]);
});
