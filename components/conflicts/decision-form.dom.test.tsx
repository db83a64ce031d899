import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import {
  ACTOR,
  answerWithPage,
  judge,
  openDeskStore,
  SUBJECT,
} from "@/components/testing/review-desk.fixture";
import { answerAction } from "@/components/testing/server-actions.fixture";
import { readOffers } from "@/lib/pages/annotations/review";
import type { OpenConflict } from "@/lib/pages/conflicts/page";
import {
  type AnnotationStore,
  decide,
  type DecisionRequest,
  listDecisions,
  withdrawDecision,
} from "@/lib/people/annotations";

import { DecisionForm } from "./decision-form";

const SCOPE = { queue: null, jobs: ["nightly"] };
const HERE = "/annotations/conflicts?job=nightly&open=1";
const NEXT = "/annotations/conflicts?job=nightly&open=2";

/** The conflict of two reviewers of a trial, and another one after it, over a real store. */
async function openConflicts() {
  const store = openDeskStore();
  const draft = { reviewerDiscipline: null, categories: [], notes: "Because." };
  const sources = [
    await judge(store, { draft: { ...draft, reviewerId: "Ana", judgment: "fail" }, baseVersionId: null }),
    await judge(store, { draft: { ...draft, reviewerId: "Ben", judgment: "pass" }, baseVersionId: null }),
  ];
  let conflict = await readConflict(store, sources);
  const other: OpenConflict = {
    ...conflict,
    place: 2,
    taskName: "sort-mail",
    storageKey: "other",
    decision: null,
  };
  const draw = (address: URL) => {
    const open = address.searchParams.get("open") === "2" ? other : conflict;
    return (
      <>
        <h2 id="conflict-name" tabIndex={-1}>
          {open.taskName}
        </h2>
        <DecisionForm conflict={open} scope={SCOPE} />
      </>
    );
  };
  let page = openPage(draw, { address: HERE });
  const reload = async () => {
    conflict = await readConflict(store, sources);
    page.redraw();
  };
  const save = (
    request: Pick<DecisionRequest<"save">, "draft" | "baseDecisionId"> & Partial<DecisionRequest<"save">>,
  ) => decide(store, { ...request, subject: SUBJECT, sources, queueId: null, actor: ACTOR });
  const reach = () =>
    answerAction("saveDecision", (request: DecisionRequest<"save">) =>
      answerWithPage(
        reload,
        save(request).then(({ decisionId }) => ({
          ...{ status: "saved", decisionId },
          nextHref: request.thenNext ? NEXT : null,
        })),
      ),
    );
  reach();
  answerAction("undoDecision", ({ decisionId }: DecisionRequest<"undo">) =>
    answerWithPage(
      reload,
      withdrawDecision(store, { decisionId, actor: ACTOR }).then(() => ({ status: "undone" })),
    ),
  );
  answerAction("findCategories", () => []);
  return {
    ...page,
    save,
    reach,
    listAll: () => listDecisions(store),
    reopen: () => {
      page.leave();
      page = openPage(draw, { address: HERE });
    },
    readDecision: async () => (await listDecisions(store, SUBJECT)).at(-1) ?? null,
  };
}

async function readConflict(
  store: AnnotationStore,
  sources: readonly { readonly versionId: string; readonly reviewerId: string }[],
): Promise<OpenConflict> {
  const { byJudgment } = await readOffers(store, SUBJECT, []);
  return {
    ...{ place: 1, taskName: SUBJECT.taskName, attempt: 1, at: null, nMoreReviews: 0, nHiddenAnchors: 0 },
    ...{ anchors: [], isChangedSince: false, mayUndo: true, isOwn: false, storageKey: "conflict" },
    context: { agent: null, jobName: null, verifier: null },
    reviews: sources.map(({ versionId, reviewerId }, index) => ({
      ...{ versionId, reviewerId, reviewerKey: reviewerId.toLowerCase(), letter: "AB".charAt(index) },
      ...{ discipline: null, timestamp: "2026-11-01T10:00:00.000Z", confidence: null, isStale: false },
      ...{ judgment: index === 0 ? "fail" : "pass", categories: [], notes: "Because.", anchors: [] },
    })),
    sources: sources.map(({ versionId }) => versionId),
    decision: (await listDecisions(store, SUBJECT)).at(-1) ?? null,
    offered: { ...byJudgment, open: [] },
  };
}

const form = () => within(screen.getByRole("form", { name: "Decision" }));
const button = (name: string | RegExp) => form().getByRole<HTMLButtonElement>("button", { name });
const isOn = (name: string | RegExp) => button(name).getAttribute("aria-pressed") === "true";
const reason = () => form().getByLabelText<HTMLTextAreaElement>("Reason, required");
const isStatus = (words: string | RegExp) =>
  waitFor(() => expect(form().getAllByRole("status")[0]?.textContent).toMatch(words));

test("a decision by keyboard requires a reason and a name, and keeps typed text", async () => {
  const { user, reopen, readDecision } = await openConflicts();
  await isStatus("Not decided");
  await user.keyboard("2e{Control>}{Enter}{/Control}");
  expect(isOn(/^Fail/)).toBe(true);
  expect(isOn("A")).toBe(true);
  expect(form().getByText("Enter a reason (visible to reviewers).")).toBeTruthy();
  expect(document.activeElement).toBe(reason());
  await user.keyboard("Only half of it is done. 1 2 3{Escape}p");
  await user.keyboard("Is a skipped part stopped early?{Escape}{Control>}s{/Control}");
  expect(document.activeElement).toBe(form().getByLabelText("Decider"));
  expect(await readDecision()).toBeNull();
  await user.keyboard("Cleo");

  reopen();
  await isStatus("Draft, not saved");
  expect(reason().value).toBe("Only half of it is done. 1 2 3");
  await user.keyboard("{Control>}s{/Control}");
  await isStatus(/^Saved/);
  expect(await readDecision()).toMatchObject({
    ...{ finalJudgment: "fail", basedOn: "a", reason: "Only half of it is done. 1 2 3", decidedBy: "Cleo" },
    codebookNote: "Is a skipped part stopped early?",
  });
  expect(form().getByText("Based on A")).toBeTruthy();
  await user.keyboard("u");
  await isStatus("Undone");
  expect(await readDecision()).toBeNull();
});

test("after Save and next, u undoes the previous decision and returns to it", async () => {
  const { user, visited, readDecision } = await openConflicts();
  await user.keyboard("1");
  await user.type(reason(), "It works.");
  await user.type(form().getByLabelText("Decider"), "Cleo");
  await user.keyboard("{Control>}{Enter}{/Control}");
  const heading = await screen.findByRole("heading", { name: "sort-mail" });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(form().getByText("Saved: your decision on tidy-ledger.")).toBeTruthy();
  expect(reason().value).toBe("");
  expect(await readDecision()).toMatchObject({ finalJudgment: "pass" });
  await user.keyboard("u");
  await screen.findByRole("heading", { name: "tidy-ledger" });
  expect(visited).toEqual([HERE, NEXT, HERE]);
  expect(await screen.findByText("Undone: your decision on tidy-ledger.")).toBeTruthy();
  expect(await readDecision()).toBeNull();
  expect(button(/^Undo/).disabled).toBe(true);
});

test("reviewers of a trial cannot decide it", async () => {
  const { user, readDecision } = await openConflicts();
  await user.type(form().getByLabelText("Decider"), "Ana");
  expect(form().getByText("You judged this trial, so someone else must decide.")).toBeTruthy();
  await user.type(reason(), "Mine.");
  await user.keyboard("{Escape}1{Control>}s{/Control}");
  expect(button("Save").disabled).toBe(true);
  expect(await readDecision()).toBeNull();
});

test("another user's decision is shown, and typed text is kept", async () => {
  const { user, save, readDecision } = await openConflicts();
  const theirs = {
    finalJudgment: "pass",
    categories: [],
    basedOn: null,
    codebookNote: null,
    decidedBy: "Dora",
  };
  await user.keyboard("4");
  await user.type(reason(), "Nobody can tell.");
  await user.type(form().getByLabelText("Decider"), "Cleo");
  await save({ draft: { ...theirs, reason: "It does the task." }, baseDecisionId: null });
  await user.click(button("Save"));
  const alert = await form().findByRole("alert");
  expect(alert.textContent).toContain("Dora decided meanwhile");
  expect(alert.textContent).toContain("It does the task.");
  expect(reason().value).toBe("Nobody can tell.");
  await user.click(button("Keep mine"));
  await isStatus(/^Saved/);
  expect(form().getByText("Left open")).toBeTruthy();
  expect(await readDecision()).toMatchObject({ finalJudgment: null, reason: "Nobody can tell." });
});

test.each(["received", "lost"])(
  "a decision that the server %s without an answer is sent again when its page opens",
  async (fate) => {
    const { user, save, reach, reopen, listAll } = await openConflicts();
    answerAction("saveDecision", async (request: DecisionRequest<"save">) => {
      if (fate === "received") await save(request);
      throw new Error("no answer");
    });
    await user.keyboard("1");
    await user.type(reason(), "It works.");
    await user.type(form().getByLabelText("Decider"), "Cleo");
    await user.click(button("Save"));
    await isStatus("Not saved");
    reach();
    reopen();
    await isStatus(/^Saved/);
    expect(await listAll()).toMatchObject([
      { finalJudgment: "pass", reason: "It works.", decidedBy: "Cleo" },
    ]);
  },
);
