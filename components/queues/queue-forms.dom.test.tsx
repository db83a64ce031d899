import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import { openReviewDesk } from "@/components/testing/review-desk.fixture";
import { answerAction } from "@/components/testing/server-actions.fixture";
import type { QueueDraw, QueueForm } from "@/lib/people/annotations";

import { NewQueueForm } from "./new-queue-form";
import { CloseQueue, PutBack, ReviewNext } from "./queue-actions";
import { TrialSelection } from "./trial-selection";

const SOURCE = { job: "nightly", list: "outcome=failed", picks: [], judgments: [], judged: null };
const PREVIEW = { parts: [], nParts: 0, nPool: 20, nDrawn: 12, most: 5_000, noCorrection: null };

function openForm() {
  const asked: QueueForm[] = [];
  const drawn: QueueDraw[] = [];
  answerAction("previewQueueAction", (draw: QueueDraw) => {
    drawn.push(draw);
    return { ...PREVIEW, nDrawn: draw.method === "all" ? 20 : draw.size };
  });
  answerAction("makeQueueAction", (form: QueueForm) => {
    asked.push(form);
    return form.name === ""
      ? { status: "failed", message: "Name the queue.", fields: { name: "Name the queue." } }
      : { href: "/annotations/queues/q1" };
  });
  const page = { source: SOURCE, isSelection: false, seed: 7, reviewers: ["Ada", "Ines"] };
  return { ...openPage(() => <NewQueueForm page={page} />), asked, drawn };
}

const form = () => within(screen.getByRole("form", { name: "New queue" }));
const field = (name: string) => form().getByLabelText<HTMLInputElement>(name);

test("the keyboard creates a queue, and errors focus their field and keep the input", async () => {
  const { user, asked, drawn, visited } = openForm();
  expect(document.activeElement).toBe(field("Name"));
  await user.selectOptions(field("Trials"), "All of the list");
  expect(form().queryByLabelText("Size")).toBeNull();
  await waitFor(() => expect(drawn.at(-1)).toMatchObject({ source: SOURCE, method: "all", seed: 7 }));
  await waitFor(() => expect(form().getByRole("status").textContent).toContain("20"));
  await user.click(form().getByRole("button", { name: "Make queue" }));
  await waitFor(() => expect(form().getAllByText("Name the queue.")).not.toEqual([]));
  expect(document.activeElement).toBe(field("Name"));
  expect(field("Name").getAttribute("aria-invalid")).toBe("true");
  expect(field("Trials").value).toBe("all");
  await user.click(form().getByRole("textbox", { name: "Reviewers" }));
  await user.paste("Ada\n Ines ,");
  await user.type(field("Name"), "Failures of orca{Enter}");
  await waitFor(() => expect(visited.at(-1)).toBe("/annotations/queues/q1"));
  expect(asked.at(-1)).toMatchObject({
    ...{ name: "Failures of orca", goal: "corrected-score", method: "all", doubleShare: 0.5 },
    ...{ reviewers: ["Ada", "Ines"], isOpenCoding: false },
  });
});

test("a goal sets editable defaults, and an invalid size has its own error", async () => {
  const { user, asked } = openForm();
  await user.selectOptions(field("Goal"), "Agreement of reviewers");
  expect(field("Reviewed twice, %").value).toBe("100");
  expect(field("Trials").value).toBe("random");
  await user.clear(field("Reviewed twice, %"));
  await user.type(field("Reviewed twice, %"), "25");
  await user.clear(field("Size"));
  await user.type(field("Size"), "many");
  await user.type(field("Name"), "Q{Enter}");
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ size: -1, doubleShare: 0.25, method: "random" }));
});

test("another method keeps the typed size", async () => {
  const { user, asked, drawn } = openForm();
  await user.clear(field("Size"));
  await user.type(field("Size"), "25");
  await user.selectOptions(field("Trials"), "All of the list");
  await waitFor(() => expect(drawn.at(-1)).toMatchObject({ method: "all", size: 1 }));
  await user.selectOptions(field("Trials"), "Random sample");
  expect(field("Size").value).toBe("25");
  await user.type(field("Name"), "Q{Enter}");
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ method: "random", size: 25 }));
});

test("selected trials make a queue of these trials only", async () => {
  const { user } = openPage(() => (
    <>
      <TrialSelection formId="selection">All of the list</TrialSelection>
      {["a", "b"].map((trial) => (
        <input key={trial} type="checkbox" form="selection" name="trial" value={trial} aria-label={trial} />
      ))}
    </>
  ));
  expect(screen.getByText("All of the list")).toBeTruthy();
  await user.click(screen.getByRole("checkbox", { name: "b" }));
  await waitFor(() => expect(screen.getByText("1 selected")).toBeTruthy());
  expect(screen.queryByText("All of the list")).toBeNull();
  const { form: selection } = screen.getByRole<HTMLButtonElement>("button", { name: "Review these" });
  expect(selection?.getAttribute("action")).toBe("/annotations/queues/new");
  expect([...new FormData(selection ?? undefined)]).toEqual([["trial", "b"]]);
  await user.click(screen.getByRole("button", { name: "Clear" }));
  expect(screen.getByText("All of the list")).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "b" }).checked).toBe(false);
});

const ITEM = {
  target: { kind: "item", queueId: "q1", position: 1 },
  progress: { kind: "queue", nTrials: 3, nMine: 0, href: "/annotations/queues/q1" },
  seen: null,
  hidden: ["verifier"],
} as const;

test("a trial reserved by another user can be taken over and is released again", async () => {
  const taken: { readonly steal: boolean; readonly reviewerId: string }[] = [];
  const released: unknown[] = [];
  answerAction("takeQueueItem", (request: { readonly steal: boolean; readonly reviewerId: string }) => {
    taken.push(request);
    return request.steal
      ? { status: "taken", token: "t1", nextHref: null }
      : { status: "held", holder: "Ada" };
  });
  answerAction("releaseQueueItem", (request: unknown) => void released.push(request));
  const { user, visited } = await openReviewDesk({ change: ITEM });
  expect(screen.getByText("The verifier’s verdict is hidden until you save yours.")).toBeTruthy();
  expect(screen.getByText("Trial 2 of 3 of the queue")).toBeTruthy();
  expect(taken).toEqual([]);
  await user.type(screen.getByLabelText("Reviewer"), "Ines");
  await waitFor(() => expect(screen.getByText(/^Ada is judging this trial/)).toBeTruthy());
  // A name that is still being typed is not a reviewer's.
  expect(taken.map(({ reviewerId }) => reviewerId)).toEqual(["Ines"]);
  await user.click(screen.getByRole("button", { name: "Take over" }));
  await waitFor(() => expect(screen.getByText("Reserved for you while this page is open.")).toBeTruthy());
  await user.click(screen.getByRole("button", { name: "Give back" }));
  await waitFor(() => expect(visited.at(-1)).toBe("/annotations/queues/q1"));
  expect(released).toEqual([{ queueId: "q1", position: 1, token: "t1" }]);
});

test("a key skips to the next trial of a queue", async () => {
  const moved: unknown[] = [];
  answerAction("takeQueueItem", () => ({ status: "judged" }));
  answerAction("moveQueueItem", (request: unknown) => {
    moved.push(request);
    return { status: "next", nextHref: "/annotations/queues/q1/items/3" };
  });
  const { user, visited } = await openReviewDesk({ change: ITEM });
  await user.type(screen.getByLabelText("Reviewer"), "Ines{Escape}");
  await waitFor(() => expect(screen.getByText(/^This trial has all its judgments/)).toBeTruthy());
  await user.keyboard("s");
  await waitFor(() => expect(visited.at(-1)).toBe("/annotations/queues/q1/items/3"));
  expect(moved).toMatchObject([{ queueId: "q1", position: 1, reviewerId: "Ines", kind: "skipped" }]);
});

test("a key opens a queue's next trial from anywhere, or shows why there is none", async () => {
  const answers: object[] = [
    { status: "failed", message: "The store cannot be read." },
    { href: null, nHeld: 2 },
    { href: null, nHeld: 0 },
    { href: "/annotations/queues/q1/items/1", nHeld: 0 },
  ];
  answerAction("openNextAction", () => answers.shift());
  const { user, visited } = openPage(() => <ReviewNext queueId="q1" />);
  for (const words of [
    "The store cannot be read.",
    "others are reviewing 2 trials",
    "No trials left for you",
  ]) {
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain(words));
    const next = screen.getByRole("button", { name: /^Review next/ });
    await waitFor(() => expect(next.getAttribute("aria-disabled")).toBe("false"));
  }
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(visited.at(-1)).toBe("/annotations/queues/q1/items/1"));
});

test("a queue is closed and reopened, a skipped trial is restored, and errors are shown", async () => {
  const asked: unknown[] = [];
  answerAction("closeQueueAction", (request: unknown) => {
    asked.push(request);
    return { status: "failed", message: "Only Ada may close it." };
  });
  answerAction("putBackAction", (request: unknown) => {
    asked.push(request);
    return { status: "done" };
  });
  const { user } = openPage(() => (
    <>
      <CloseQueue queueId="q1" isClosed={false} />
      <CloseQueue queueId="q2" isClosed />
      <PutBack queueId="q1" position={4} taskName="sort-mail" />
    </>
  ));
  await user.click(screen.getByRole("button", { name: "Close queue" }));
  await waitFor(() => expect(screen.getByText("Only Ada may close it.")).toBeTruthy());
  await user.click(screen.getByRole("button", { name: "Open again" }));
  await user.click(screen.getByRole("button", { name: "Put sort-mail back" }));
  expect(asked).toEqual([
    { queueId: "q1", isClosed: true },
    { queueId: "q2", isClosed: false },
    { queueId: "q1", position: 4 },
  ]);
});
