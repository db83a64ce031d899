import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { DataTable } from "@/components/ui/data-table";

import { type GroupLine, listGroupColumns } from "./columns";

const FIGURE = { recorded: null, recomputed: "0.9374615384615385", verdict: "not-recorded", path: "a" };

test("a mean that result.json does not record is computed from the trials, and shown once", () => {
  const line = {
    line: { figure: FIGURE, metric: "mean", rewardKey: null },
    group: { setup: null, headline: null, interval: { kind: "unavailable" } },
    isFirst: false,
  } as unknown as GroupLine;
  const view = { jobKey: "run", isDivided: false, ks: [], outcomes: [], hasKeys: false, plotWidth: 100 };
  render(<DataTable caption="Groups" columns={listGroupColumns(view)} rows={[line]} rowKey={() => 0} />);
  const row = screen.getAllByRole("row")[1] ?? document.body;
  const means = within(row).getAllByText("0.937");
  expect(means.map((mean) => mean.closest("[title^='Computed']")?.textContent)).toEqual(["0.937"]);
});
