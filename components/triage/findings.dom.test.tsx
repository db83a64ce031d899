import { screen, waitFor, within } from "@testing-library/react";
import type { Route } from "next";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import { answerAction } from "@/components/testing/server-actions.fixture";
import { Link } from "@/components/ui/link";

import { CauseKeys, CauseList, type CauseLine } from "./cause-list";
import { DismissForm, RestoreButton } from "./dismiss-form";
import { HeatMap } from "./heat-map";
import { markDifferences } from "./triage-words";

const CAUSES = ["slow", "flaky", "odd"];

function toLine(key: string): CauseLine {
  const interval = { at: 0.5, beyond: null, line: { from: 0.25, to: 0.75 }, caps: [0.25, 0.75] };
  return {
    ...{ key, title: key, hint: "", href: `/errors?open=${key}` as Route, owner: "Agent", nTrials: 2 },
    ...{ points: "+1.0", said: `Gain of ${key}`, interval, who: [2, 0], isDismissed: false },
  };
}

/** A list of causes with the actions of the chosen one, and owners. */
function Causes({ open }: { open: string }) {
  return (
    <>
      <CauseKeys />
      <ul className="owner-bar">
        {["Limits", "Agent"].map((owner) => (
          <li key={owner}>
            <Link href={`/errors?owner=${owner}` as Route}>{owner}</Link>
          </li>
        ))}
      </ul>
      <CauseList lines={CAUSES.map(toLine)} agents={["orca", "lamp"]} open={open} />
      <div data-cause="">
        <Link href={`/trials?finding=${open}` as Route} data-cause-trials="">
          Open 2 trials
        </Link>
        <details data-menu="">
          <summary>More</summary>
          <Actions finding={open} />
        </details>
      </div>
    </>
  );
}

function Actions({ finding }: { finding: string }) {
  return (
    <>
      <DismissForm findingKey={finding} base={3} title={`Too ${finding}`} />
      <Link href={`/annotations/queues/new?finding=${finding}` as Route} data-make-queue="">
        Queue
      </Link>
    </>
  );
}

const openCauses = () =>
  openPage(({ searchParams }) => <Causes open={searchParams.get("open") ?? "slow"} />, {
    address: "/errors",
  });

test("keys move through causes and the pane follows; they open, review, dismiss and filter", async () => {
  const { user, visited } = openCauses();
  await user.keyboard("jj");
  expect(visited.at(-1)).toBe("/errors?open=flaky");
  expect(screen.getByRole("link", { name: /^flaky/ }).getAttribute("aria-current")).toBe("true");
  await user.keyboard("{ArrowDown}k");
  expect(visited.at(-1)).toBe("/errors?open=flaky");
  // One Tab stop for the whole list.
  expect(screen.getAllByRole("link", { name: /^(slow|flaky|odd)/ }).map(({ tabIndex }) => tabIndex)).toEqual([
    -1, 0, -1,
  ]);
  await user.keyboard("x");
  expect(await screen.findByRole("form", { name: "Dismiss this finding" })).toBeTruthy();
  await user.keyboard("{Escape}{Escape}2");
  expect(visited.at(-1)).toBe("/errors?owner=Agent");
  await user.keyboard("r");
  await waitFor(() => expect(visited.at(-1)).toBe("/annotations/queues/new?finding=slow"));
  screen.getByRole("link", { name: /^slow/ }).focus();
  await user.keyboard("{Enter}");
  expect(visited.at(-1)).toBe("/trials?finding=slow");
});

test("the bar and the whisker end where the numbers are", () => {
  openCauses();
  const plot = within(screen.getByRole("link", { name: /^odd/ })).getByRole("img", { name: "Gain of odd" });
  expect(plot.querySelector(".win-bar")?.getAttribute("width")).toBe("50%");
  const [line, ...caps] = plot.querySelectorAll(".win-interval");
  expect([line?.getAttribute("x1"), line?.getAttribute("x2")]).toEqual(["25%", "75%"]);
  expect(caps.map((cap) => cap.getAttribute("x1"))).toEqual(["25%", "75%"]);
  const dots = screen.getAllByRole("img", { name: "orca 2" })[0]?.querySelectorAll("circle");
  expect(Array.from(dots ?? [], (dot) => dot.getAttribute("class"))).toEqual(["who-2", null]);
});

test("arrow keys move between cells with trials, and the line above describes the cell", async () => {
  const { user, visited } = openPage(() => (
    <HeatMap
      rows="job"
      classes={["wrong_answer", "out_of_time"]}
      sums={[5, 1]}
      agents={[]}
      full={1}
      lines={[
        [1, 0],
        [0, 1],
        [4, 0],
      ].map((counts, at) => ({
        ...{ label: `run-${String(at)}`, agentModel: null, nTrials: 8, nAll: 8, nFailures: 5 },
        ...{
          passed: "37.5 %",
          passedTitle: "3 of 8",
          outcomes: [["passed", 3, "passed"] as const],
          who: null,
          href: null,
        },
        ...{ trials: { jobs: [`run-${String(at)}`] }, counts, differences: [null, null] },
      }))}
    />
  ));
  const line = screen.getAllByRole("status").find((one) => one.matches(".heat-line"));
  expect(line?.textContent).toContain("run-2, wrong answer");
  expect(line?.textContent).toContain("4 of its 5 failures, 80.0 %");
  within(screen.getByRole("table")).getByRole("button", { name: "4" }).focus();
  await user.keyboard("{ArrowUp}");
  // Skips the blank cell between.
  expect(line?.textContent).toContain("run-0, wrong answer");
  await user.keyboard("{ArrowRight}{Enter}");
  expect(visited.at(-1)).toContain("/trials?");
  expect(visited.at(-1)).toContain("job=run-0");
});

test("words that not all examples have are marked, unless they have little in common", () => {
  const own = (texts: readonly string[]) =>
    markDifferences(texts).map((parts) => parts.filter(({ isOwn }) => isOwn).map(({ text }) => text));
  expect(own(["timed out after 900 seconds", "timed out after 60 seconds"])).toEqual([["900"], ["60"]]);
  expect(own(["timed out", "no answer at all"])).toEqual([[], []]);
  expect(own(["alone"])).toEqual([[]]);
});

test("dismissing requires a reason and, once, a name, and errors are shown", async () => {
  const asked: unknown[] = [];
  answerAction("dismissFindingAction", (request: unknown) => {
    asked.push(request);
    return asked.length === 1
      ? { status: "failed", message: "Grace changed this in another browser." }
      : { status: "done" };
  });
  const { user, countRefreshes } = openPage(() => <Actions finding="slow" />);
  await user.click(screen.getByRole("button", { name: "Dismiss, with reason" }));
  const form = within(screen.getByRole("form", { name: "Dismiss this finding" }));
  expect(document.activeElement).toBe(form.getByLabelText(/^Why it needs no fix/));
  await user.keyboard(" Meant to be hard <b>really</b>{Enter}");
  expect(asked).toEqual([]);
  await user.type(form.getByLabelText("Your name"), "Ada");
  await user.click(form.getByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(form.getByRole("alert").textContent).toContain("Grace changed this"));
  await user.click(form.getByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(screen.getByText("Dismissed: Too slow")).toBeTruthy());
  expect(asked).toEqual(
    Array.from({ length: 2 }, () => ({
      ...{ key: "slow", title: "Too slow", base: 3 },
      reason: "Meant to be hard <b>really</b>",
    })),
  );
  expect(countRefreshes()).toBe(1);
  expect(document.cookie).toContain("Ada");
});

test("undoing another user's dismissal requires a reason, undoing one's own does not", async () => {
  const asked: unknown[] = [];
  answerAction("restoreFindingAction", (request: unknown) => {
    asked.push(request);
    return { status: "done" };
  });
  const { user, countRefreshes } = openPage(() => (
    <>
      <RestoreButton findingKey="slow" base={4} isOwn={false} />
      <RestoreButton findingKey="flaky" base={5} isOwn />
    </>
  ));
  await user.click(screen.getByRole("button", { name: "Show again" }));
  await user.type(screen.getByLabelText("Your name"), "Ines{Enter}");
  expect(asked).toEqual([]);
  await user.type(screen.getByLabelText(/^Why it needs a fix/), "It is not meant{Enter}");
  await waitFor(() => expect(countRefreshes()).toBe(1));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(countRefreshes()).toBe(2));
  expect(asked).toEqual([
    { key: "slow", reason: "It is not meant", base: 4 },
    { key: "flaky", reason: "", base: 5 },
  ]);
});
