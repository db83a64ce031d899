import { screen, waitFor } from "@testing-library/react";
import type { ComponentProps } from "react";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import { answerAction } from "@/components/testing/server-actions.fixture";

import { ClusterName } from "./cluster-name";

const CHANGES: ComponentProps<typeof ClusterName>["history"] = [
  { seq: 3, undoReason: null, text: "Slow", author: "Ben", createdAt: "2026-03-01T09:00:00.000Z" },
  {
    seq: 8,
    undoReason: null,
    text: "Full <b>disk</b>",
    author: "Grace",
    createdAt: "2026-03-02T09:00:00.000Z",
  },
  { seq: 9, undoReason: null, text: null, author: "Ines", createdAt: "2026-03-03T09:00:00.000Z" },
];

/** The name after some changes; `asked` has the saves, the first one against another user's change. */
function openName() {
  const asked: unknown[] = [];
  let nChanges = 1;
  answerAction("nameClusterAction", (request: unknown) => {
    asked.push(request);
    if (asked.length > 1) return { status: "done" };
    follow(2);
    return { status: "conflict", message: "Grace changed this meanwhile. Look at it again.", fields: {} };
  });
  const { user, redraw } = openPage(() => {
    const history = CHANGES.slice(0, nChanges).toReversed();
    const [last] = history;
    return <ClusterName clusterKey="k" name={last?.text ?? null} base={last?.seq ?? 0} history={history} />;
  });
  const follow = (n: number): void => {
    nChanges = n;
    redraw();
  };
  return { user, asked, follow };
}

const field = () => screen.getByLabelText<HTMLInputElement>("Name");
const says = (words: string) =>
  waitFor(() => expect(screen.getByText(/ meanwhile\. Your text is kept/).textContent).toContain(words));

test("a name that another user gave meanwhile is shown before it can be replaced", async () => {
  const { user, asked } = openName();
  await user.click(screen.getByRole("button", { name: "Rename" }));
  await user.clear(field());
  await user.type(field(), "No space{Enter}");
  await says("Grace named this cluster “Full <b>disk</b>” meanwhile.");
  expect(screen.queryByText(/Look at it again/)).toBeNull();
  expect(screen.queryByRole("button", { name: "Save name" })).toBeNull();
  expect(field().value).toBe("No space");
  await user.click(screen.getByRole("button", { name: "Replace theirs" }));
  await waitFor(() => expect(screen.queryByLabelText("Name")).toBeNull());
  expect(asked).toEqual([
    { key: "k", name: "No space", base: 3 },
    { key: "k", name: "No space", base: 8 },
  ]);
});

test("a change that the page follows while the form is open is shown too", async () => {
  const { user, follow } = openName();
  await user.click(screen.getByRole("button", { name: "Rename" }));
  follow(3);
  await says("Ines removed the name meanwhile.");
  expect(screen.getByRole("button", { name: "Replace theirs" })).toBeTruthy();
});
