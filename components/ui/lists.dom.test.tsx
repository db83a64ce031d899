import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { Route } from "next";
import { expect, onTestFinished, test, vi } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";

import { ColumnsMenu } from "./columns-menu";
import { DataTable } from "./data-table";
import { ListFacet } from "./facet-menu";
import { FilterText } from "./filter-text";
import type { DataColumn } from "./table-columns";
import { TickAll } from "./tick-all";

interface Job {
  readonly name: string;
  readonly agent: string;
  readonly trials: number;
}

const JOBS: readonly Job[] = [
  { name: "alpha", agent: "orca", trials: 3 },
  { name: "beta", agent: "heron", trials: 1 },
  { name: "gamma", agent: "orca", trials: 2 },
];
const SORTS = ["name", "trials"] as const;
const COLUMNS: readonly DataColumn<Job>[] = [
  {
    id: "name",
    header: "Job",
    enableHiding: false,
    meta: { sort: "name", ascends: true, isRowHeader: true, phone: "first" },
    cell: ({ name }) => (
      <>
        <input type="checkbox" form="jobs" aria-label={`Select ${name}`} />
        <a href={`/jobs/${name}`} data-row-link="">
          {name}
        </a>
      </>
    ),
  },
  { id: "agent", header: "Agent", meta: { phone: "labelled" }, cell: ({ agent }) => agent },
  {
    id: "trials",
    header: "Trials",
    meta: { numeric: true, sort: "trials", room: "minor" },
    cell: ({ trials }) => trials,
  },
];

/** A list like those of pages: all of its state is in the URL. */
function JobsList({ search }: { search: URLSearchParams }) {
  const hrefOf = (change: Readonly<Record<string, string | null>>) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(change))
      if (value === null) next.delete(name);
      else next.set(name, value);
    return `/?${next.toString()}` as Route;
  };
  const agents = search.getAll("agent").filter((agent) => agent !== "");
  const [sort, descending] = [search.get("sort") ?? "name", search.get("down") === "1"];
  const wanted = search.get("columns")?.split(",") ?? null;
  const rows = JOBS.filter(
    ({ name, agent }) =>
      name.includes(search.get("q") ?? "") && (agents.length === 0 || agents.includes(agent)),
  ).toSorted((a, b) => (sort === "trials" ? a.trials - b.trials : a.name.localeCompare(b.name)));
  return (
    <>
      <FilterText label="Filter jobs" />
      <ListFacet
        label="Agent"
        values={[
          { value: "orca", count: 2 },
          { value: "heron", count: 1 },
        ]}
        chosen={agents}
        hrefOf={([agent = null]) => hrefOf({ agent })}
      />
      <ColumnsMenu
        columns={COLUMNS}
        wanted={wanted}
        hrefOf={(ids) => hrefOf({ columns: ids?.join() ?? null })}
      />
      <TickAll formId="jobs" label="Select all jobs" />
      <DataTable
        caption="Jobs"
        columns={COLUMNS}
        rows={descending ? rows.toReversed() : rows}
        rowKey={({ name }) => name}
        wanted={wanted}
        order={{
          ...{ sorts: SORTS, sort: sort === "trials" ? "trials" : "name", descending },
          hrefOf: (order) => hrefOf({ sort: order.sort, down: order.descending ? "1" : "" }),
        }}
      />
    </>
  );
}

const openList = () => openPage(({ searchParams }) => <JobsList search={searchParams} />);
const listRows = () => screen.getAllByRole("rowheader").map(({ textContent }) => textContent);
const listHeads = () => screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
const header = (name: string) => screen.getByRole("columnheader", { name });

test("a heading sorts in its usual order first, then reversed", async () => {
  const { user } = openList();
  expect(listRows()).toEqual(["alpha", "beta", "gamma"]);
  expect(header("Job").getAttribute("aria-sort")).toBe("ascending");
  await user.click(within(header("Trials")).getByRole("link"));
  expect(listRows()).toEqual(["alpha", "gamma", "beta"]);
  expect(header("Trials").getAttribute("aria-sort")).toBe("descending");
  expect(header("Job").getAttribute("aria-sort")).toBeNull();
  await user.click(within(header("Trials")).getByRole("link"));
  expect(listRows()).toEqual(["beta", "gamma", "alpha"]);
  expect(within(header("Agent")).queryByRole("link")).toBeNull();
});

test("a heading of rows is the header of its group", () => {
  openPage(() => (
    <DataTable
      caption="Jobs"
      columns={COLUMNS}
      rows={JOBS}
      rowKey={({ name }) => name}
      heading={({ agent }, at) => (JOBS[at - 1]?.agent === agent ? null : agent)}
    />
  ));
  expect(listRows()).toEqual(["orca", "alpha", "heron", "beta", "orca", "gamma"]);
  expect(screen.getByRole("rowheader", { name: "heron" }).getAttribute("scope")).toBe("rowgroup");
});

test("columns are hidden, restored and moved, except the one that names the row", async () => {
  const { user } = openList();
  const menu = () => within(screen.getByText("Columns").closest("details") ?? document.body);
  expect(menu().queryByRole("link", { name: "Job" })).toBeNull();
  await user.click(menu().getByRole("link", { name: "Agent" }));
  expect(listHeads()).toEqual(["Job", "Trials"]);
  await user.click(menu().getByRole("link", { name: "Agent" }));
  expect(listHeads()).toEqual(["Job", "Agent", "Trials"]);
  await user.click(menu().getByRole("link", { name: "Move Trials one place forward" }));
  expect(listHeads()).toEqual(["Job", "Trials", "Agent"]);
  expect(screen.getAllByText("orca").map((cell) => cell.getAttribute("data-label"))).toContain("Agent");
});

test("a column that was added, or that orders the rows, is not hidden in narrow windows", async () => {
  const { user } = openList();
  const isHidden = () => screen.queryByText(/hidden at this width/u) !== null;
  expect(isHidden()).toBe(true);
  await user.click(within(header("Trials")).getByRole("link"));
  expect(isHidden()).toBe(false);
  await user.click(within(header("Job")).getByRole("link"));
  expect(isHidden()).toBe(true);
  const menu = within(screen.getByText("Columns").closest("details") ?? document.body);
  await user.click(menu.getByRole("link", { name: "Trials" }));
  await user.click(menu.getByRole("link", { name: "Trials" }));
  expect(header("Trials")).toBeTruthy();
  expect(isHidden()).toBe(false);
});

test("a key focuses the filter, which keeps typed text and moves to the first row", async () => {
  const { user, visited } = openList();
  const field = screen.getByRole<HTMLInputElement>("searchbox", { name: "Filter jobs" });
  await user.keyboard("/");
  expect(document.activeElement).toBe(field);
  await user.keyboard("amm");
  await waitFor(() => expect(listRows()).toEqual(["gamma"]));
  expect(visited).toEqual(["/", "/?q=amm"]);
  expect(field.value).toBe("amm");
  expect(document.activeElement).toBe(field);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(listRows()).toHaveLength(3));
  await user.keyboard("a{Enter}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("alpha"));
});

test("Enter writes the filter at once, and nothing later", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { visited } = openList();
  const field = screen.getByRole("searchbox", { name: "Filter jobs" });
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  const pause = () => act(() => void vi.advanceTimersByTime(1_000));
  const enter = () => fireEvent.keyDown(field, { key: "Enter" });
  type("amm");
  expect(visited).toEqual(["/"]);
  pause();
  expect(visited).toEqual(["/", "/?q=amm"]);
  type("ammo");
  type("amm");
  enter();
  pause();
  expect(visited).toEqual(["/", "/?q=amm"]);
  type("bet");
  enter();
  expect(visited.at(-1)).toBe("/?q=bet");
  pause();
  expect(visited).toHaveLength(3);
});

test("a menu selects one of several values, shows it, and clears it", async () => {
  const { user, visited } = openList();
  const menu = () => screen.getByText("Agent", { selector: "summary" });
  await user.click(menu());
  await user.click(screen.getByRole("link", { name: /^heron/ }));
  expect(listRows()).toEqual(["beta"]);
  expect(menu().textContent).toBe("Agentheron");
  expect(screen.getByRole("link", { name: /^heron/ }).getAttribute("aria-current")).toBe("true");
  await user.click(screen.getByRole("link", { name: "Clear agent" }));
  expect(listRows()).toHaveLength(3);
  expect(visited).toEqual(["/", "/?agent=heron", "/?"]);
});

test("one box selects all rows or none, and is mixed in between", async () => {
  const { user } = openList();
  const all = screen.getByRole<HTMLInputElement>("checkbox", { name: "Select all jobs" });
  const boxes = () => screen.getAllByRole<HTMLInputElement>("checkbox", { name: /^Select (?!all)/ });
  await user.click(screen.getByRole("checkbox", { name: "Select beta" }));
  await waitFor(() => expect(all.indeterminate).toBe(true));
  await user.click(all);
  expect(boxes().map(({ checked }) => checked)).toEqual([true, true, true]);
  await waitFor(() => expect(all.checked).toBe(true));
  await user.click(all);
  expect(boxes().map(({ checked }) => checked)).toEqual([false, false, false]);
});
