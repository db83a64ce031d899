import { act, screen, waitFor, within } from "@testing-library/react";
import type { Route } from "next";
import { expect, onTestFinished, test, vi } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import { answerAction } from "@/components/testing/server-actions.fixture";
import type { SearchAnswer } from "@/lib/pages/shell/search";

const found = (label: string): SearchAnswer => ({
  groups: [
    {
      kind: "jobs",
      heading: "Jobs",
      more: "",
      items: [{ label, detail: "", href: `/jobs/${label}` as Route }],
    },
  ],
});

/** Opens the search by its key; `answer` is the server's response. */
async function openSearch(answer: (text: string) => Promise<Response>) {
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation((address) => {
    const { pathname, searchParams } = new URL(
      address instanceof Request ? address.url : address,
      "http://localhost",
    );
    expect(pathname).toBe("/api/search");
    return answer(searchParams.get("q") ?? "");
  });
  const opened = vi.spyOn(window, "open").mockReturnValue(null);
  onTestFinished(() => {
    fetched.mockRestore();
    opened.mockRestore();
  });
  const page = openPage(() => <input aria-label="Field" />);
  screen.getByLabelText("Field").focus();
  await page.user.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole<HTMLInputElement>("combobox", { name: /^Search jobs/ });
  await waitFor(() => expect(document.activeElement).toBe(field));
  return { ...page, field, opened };
}

const dialog = () => within(screen.getByRole("dialog", { name: "Search" }));
const listOptions = () =>
  dialog()
    .getAllByRole("option")
    .map(({ textContent }) => textContent);
const says = (words: string) =>
  waitFor(() => expect(dialog().getByRole("status").textContent).toContain(words));

test("matches come first, arrows select, Enter opens, and Ctrl Enter opens a new tab", async () => {
  const { user, visited, opened } = await openSearch((text) =>
    Promise.resolve(Response.json(found(`${text}-job`))),
  );
  await user.keyboard("orca");
  await waitFor(() => expect(listOptions()[0]).toBe("orca-job"));
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect(opened).toHaveBeenCalledWith("/jobs/orca-job", "_blank", "noopener");
  expect(visited).toEqual(["/"]);
  await user.keyboard("{ArrowDown}");
  expect(dialog().getByRole("option", { selected: true }).textContent).toBe("Search all traces for “orca”");
  await user.keyboard("{ArrowUp}{Enter}");
  expect(visited.at(-1)).toBe("/jobs/orca-job");
  expect(screen.queryByRole("dialog", { name: "Search" })).toBeNull();
});

test("a late answer does not replace a newer one, and empty results and errors are shown", async () => {
  const late = Promise.withResolvers<Response>();
  let isDown = false;
  const { user } = await openSearch((text) => {
    if (isDown) return Promise.reject(new TypeError("connection refused"));
    return text === "t"
      ? late.promise
      : Promise.resolve(Response.json(text === "" ? { groups: [] } : found(text)));
  });
  await user.keyboard("t");
  await waitFor(() => expect(globalThis.fetch).toHaveBeenCalledWith("/api/search?q=t", expect.anything()));
  await user.keyboard("wo");
  await waitFor(() => expect(listOptions()[0]).toBe("two"));
  const answer = Response.json(found("late"));
  const read = vi.spyOn(answer, "json");
  late.resolve(answer);
  await waitFor(() => expect(read).toHaveBeenCalled());
  await act(() => Promise.resolve());
  expect(listOptions()[0]).toBe("two");
  isDown = true;
  await user.keyboard("y");
  await says("Assay is not responding.");
});

test("Escape returns the focus to the field that had it, and a text without matches is reported", async () => {
  const { user } = await openSearch(() => Promise.resolve(Response.json({ groups: [] })));
  await user.keyboard("no such thing anywhere");
  await says("No results for “no such thing anywhere”.");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Search" })).toBeNull());
  expect(document.activeElement).toBe(screen.getByLabelText("Field"));
});

test("saving a view requires a name, and is announced", async () => {
  const saved = vi.fn<(view: unknown) => unknown>(() => ({ status: "done", id: "1" }));
  answerAction("saveViewAction", saved);
  const { user } = await openSearch(() => Promise.resolve(Response.json({ groups: [] })));
  await user.keyboard("save this view");
  await waitFor(() => expect(listOptions()[0]).toBe("Save this view…"));
  await user.keyboard("{Enter}");
  const name = await screen.findByLabelText("Name of this view");
  expect(document.activeElement).toBe(name);
  await user.clear(name);
  await user.keyboard("{Enter}");
  expect(saved).not.toHaveBeenCalled();
  await user.keyboard("Failures of orca{Enter}");
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(JSON.stringify(saved.mock.calls)).toContain("Failures of orca");
  await waitFor(() => expect(screen.queryByLabelText("Name of this view")).toBeNull());
  expect(screen.getByText(/Failures of orca/u).closest("[role=status]")).not.toBeNull();
});
