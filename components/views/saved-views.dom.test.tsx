import { screen, waitFor } from "@testing-library/react";
import type { Route } from "next";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import { answerAction } from "@/components/testing/server-actions.fixture";

import { SavedViews } from "./saved-views";

/** Two saved views, kept as the server keeps them. */
function openViews() {
  let views = ["Failures", "Slow"].map((name, index) => ({
    ...{ id: String(index), name, href: `/trials?q=${name}` as Route, detail: `/trials?q=${name}` },
    ...{ created: { text: "2026-11-01T10:00:00.000Z", epochMs: 0, zoned: true }, createdBy: null },
  }));
  const gone = new Map<string, (typeof views)[number]>();
  const page = openPage(() => <SavedViews views={views} />);
  const done = (id: string) => {
    page.redraw();
    return { status: "done", id };
  };
  answerAction("renameViewAction", (id: string, name: string) => {
    if (name.trim() === "") return { status: "failed", message: "Give it a name." };
    views = views.map((view) => (view.id === id ? { ...view, name } : view));
    return done(id);
  });
  answerAction("deleteViewAction", (id: string) => {
    for (const view of views) if (view.id === id) gone.set(id, view);
    views = views.filter((view) => view.id !== id);
    return done(id);
  });
  answerAction("restoreViewAction", (id: string) => {
    views = [...views, ...(gone.has(id) ? [gone.get(id)] : [])].filter((view) => view !== undefined);
    return done(id);
  });
  return page;
}

const button = (name: string) => screen.getByRole("button", { name });
const hasFocus = (name: string) =>
  waitFor(() => {
    expect(document.activeElement).toBe(button(name));
    expect(button(name).matches(":disabled")).toBe(false);
  });

test("the keyboard renames, deletes and restores a view, and keeps its focus", async () => {
  const { user } = openViews();
  button("Rename Failures").focus();
  await user.keyboard("{Enter}");
  const field = screen.getByLabelText("New name of Failures");
  expect(document.activeElement).toBe(field);
  await user.clear(field);
  await user.keyboard(" {Enter}");
  await waitFor(() => expect(screen.getByText("Give it a name.")).toBeTruthy());
  await user.clear(field);
  await user.keyboard("What orca fails{Enter}");
  await hasFocus("Rename What orca fails");
  button("Delete Slow").focus();
  await user.keyboard("{Enter}");
  await hasFocus("Undo");
  expect(screen.queryByRole("link", { name: "Slow" })).toBeNull();
  expect(screen.getByText(/^Deleted Slow\./)).toBeTruthy();
  await user.keyboard("{Enter}");
  await hasFocus("Rename Slow");
});

test("Escape cancels renaming, and an empty list explains how to save a view", async () => {
  const { user } = openViews();
  await user.click(button("Rename Failures"));
  await user.keyboard("x{Escape}");
  await hasFocus("Rename Failures");
  for (const name of ["Failures", "Slow"]) {
    await user.click(button(`Delete ${name}`));
    await waitFor(() => expect(screen.queryByRole("link", { name })).toBeNull());
  }
  expect(screen.getByText("No saved views")).toBeTruthy();
});
