import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import { answerAction } from "@/components/testing/server-actions.fixture";
import { parseJobsParams } from "@/lib/pages/jobs/address";

import { JoinForm, NotRepeatsButton, RunSetChanged, RunSetRule } from "./run-set-forms";

const REFS = ["first:orca", "second:orca"];
const PARAMS = parseJobsParams({ q: "orca" });

test("a run set is saved with a name and an optional rule, and errors are shown", async () => {
  const saved: object[] = [];
  answerAction("saveRunSetAction", (set: object) => {
    saved.push(set);
    return saved.length === 1
      ? { status: "failed", message: "The name is taken." }
      : { status: "done", id: "s1" };
  });
  const { user, visited } = openPage(() => (
    <JoinForm name="first" refs={REFS} rule="numbers" params={PARAMS} />
  ));
  expect(document.activeElement).toBe(screen.getByLabelText("Name"));
  await user.keyboard("{Control>}a{/Control}both runs{Enter}");
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("The name is taken."));
  await user.click(screen.getByRole("checkbox", { name: /^Add new jobs/ }));
  await user.click(screen.getByRole("button", { name: /^Count 2 together/ }));
  await waitFor(() => expect(visited.at(-1)).toBe("/?q=orca&changed=s1"));
  expect(saved).toMatchObject([
    { refs: REFS, rule: null, kind: "together" },
    { refs: REFS, rule: "numbers", kind: "together" },
  ]);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Name" }).value).toContain("both runs");
});

test("a run set requires two runs", () => {
  openPage(() => <JoinForm name="first" refs={["first:orca"]} rule={null} params={PARAMS} />);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: /^Count 1 together/ }).disabled).toBe(true);
  expect(screen.getByText("Select at least two runs")).toBeTruthy();
});

test("a key deletes a run set and restores it", async () => {
  const asked: unknown[] = [];
  const set = { id: "s1", ref: "set:s1", name: "both runs", rule: "numbers", isApart: false };
  const members = ["first", "second"].map((name) => ({ name }) as never);
  let isDeleted = false;
  answerAction("deleteRunSetAction", (id: string) => {
    asked.push(["delete", id]);
    isDeleted = true;
    return { status: "done", id };
  });
  answerAction("restoreRunSetAction", (id: string) => {
    asked.push(["restore", id]);
    return { status: "conflict", message: "Another user counted these." };
  });
  const page = openPage(() => <RunSetChanged changed={{ ...set, members, isDeleted }} />);
  const status = () => screen.getAllByRole("status")[0]?.textContent;
  expect(status()).toBe("Counted first, second together as both runs. New jobs that match join it.");
  await page.user.keyboard("u");
  await waitFor(() => expect(page.countRefreshes()).toBe(1));
  page.redraw();
  await waitFor(() => expect(status()).toBe("both runs was split: first, second count separately."));
  await page.user.keyboard("u");
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Another user counted these."));
  expect(page.countRefreshes()).toBe(2);
  expect(asked).toEqual([
    ["delete", "s1"],
    ["restore", "s1"],
  ]);
});

test("the rule for repeats is in the URL, and rejected suggestions can be restored", async () => {
  const saved: object[] = [];
  const deleted: string[] = [];
  answerAction("saveRunSetAction", (set: object) => {
    saved.push(set);
    return { status: "done", id: "a1" };
  });
  answerAction("deleteRunSetAction", (id: string) => {
    deleted.push(id);
    return deleted.length === 1 ? { status: "failed", message: "It is gone." } : { status: "done" };
  });
  const { user, visited, countRefreshes } = openPage(() => (
    <>
      <RunSetRule params={PARAMS} apart={[{ id: "a1", jobs: ["first", "second"] }]} />
      <NotRepeatsButton refs={REFS} jobs="first and second" params={PARAMS} />
    </>
  ));
  await user.click(screen.getByText("Rule for repeats"));
  const field = screen.getByLabelText("Names of repeats");
  await user.clear(field);
  await user.keyboard("^(orca){Enter}");
  expect(visited.at(-1)).toBe("/?q=orca&pool=^(orca)");
  await user.clear(field);
  await user.keyboard("numbers{Enter}");
  expect(visited.at(-1)).toBe("/?q=orca");
  await user.click(screen.getByRole("button", { name: "Not repeats" }));
  await waitFor(() => expect(visited.at(-1)).toBe("/?q=orca&changed=a1"));
  expect(saved).toMatchObject([{ refs: REFS, kind: "apart" }]);
  await user.click(screen.getByRole("button", { name: "Suggest again" }));
  await waitFor(() => expect(screen.getByText("It is gone.")).toBeTruthy());
  await user.click(screen.getByRole("button", { name: "Suggest again" }));
  await waitFor(() => expect(countRefreshes()).toBe(1));
  expect(deleted).toEqual(["a1", "a1"]);
});
