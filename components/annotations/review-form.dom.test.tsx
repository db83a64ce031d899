import { screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";

import { judge, openReviewDesk } from "@/components/testing/review-desk.fixture";
import { answerAction } from "@/components/testing/server-actions.fixture";
import type { ReviewRequest } from "@/lib/people/annotations";

const panel = () => within(screen.getByRole("form", { name: "Review" }));
const button = (name: string | RegExp) => panel().getByRole("button", { name });
const isOn = (name: string | RegExp) => button(name).getAttribute("aria-pressed") === "true";
const note = () => panel().getByLabelText<HTMLTextAreaElement>("Note");
const status = () => panel().getAllByRole("status")[0]?.textContent;
const isStatus = (words: string | RegExp) => waitFor(() => expect(status()).toMatch(words));

test("a disagreement by mouse is marked and stored as written", async () => {
  const { user, listSaved, reopen } = await openReviewDesk();
  expect(status()).toBe("Not reviewed");
  await user.click(button(/^Pass/));
  expect(screen.getByText("You disagree with the verifier")).toBeTruthy();
  await user.type(note(), "The check looks at the wrong file. <b>Bold?</b>");
  await user.click(button("Save"));
  // Nothing is saved without a name, which has the focus.
  expect(document.activeElement).toBe(panel().getByLabelText("Reviewer"));
  expect(await listSaved()).toEqual([]);
  await user.keyboard("Ada Example");
  await user.click(button("Save"));
  await isStatus(/^Saved/);
  expect(await listSaved()).toMatchObject([
    { judgment: "pass", reviewerId: "Ada Example", notes: "The check looks at the wrong file. <b>Bold?</b>" },
  ]);
  reopen();
  expect(isOn(/^Pass/)).toBe(true);
  expect(note().value).toBe("The check looks at the wrong file. <b>Bold?</b>");
});

test("the keyboard alone judges, saves, corrects, undoes and reuses the text", async () => {
  const { user, listSaved } = await openReviewDesk();
  await user.keyboard("2hh");
  expect(isOn(/^Fail/)).toBe(true);
  expect(isOn(/^Medium/)).toBe(true);
  await isStatus("Draft, not saved");
  await user.keyboard("n1 2 u{Escape}");
  expect(note().value).toBe("1 2 u");
  expect(isOn(/^Fail/)).toBe(true);
  await user.click(panel().getByLabelText("Reviewer"));
  await user.keyboard("Grace Example");
  await user.type(panel().getByLabelText(/^Discipline/), "Chemist{Control>}s{/Control}");
  await isStatus(/^Saved/);

  await user.keyboard("3{Control>}s{/Control}");
  await waitFor(async () => expect(await listSaved()).toMatchObject([{ judgment: "defer" }]));
  await isStatus(/^Saved/);
  await user.click(panel().getByText(/^History/));
  expect(panel().getByText("Replaced by a later version")).toBeTruthy();
  expect(panel().getAllByText("Chemist")).toHaveLength(2);
  await user.click(button(/^Undo/));
  await waitFor(() => expect(isOn(/^Fail/)).toBe(true));
  // The undone text is a draft again by one key, and nothing of it is saved.
  await user.keyboard("U");
  expect(isOn(/^Defer/)).toBe(true);
  expect(await listSaved()).toMatchObject([{ judgment: "fail" }]);
  await user.keyboard("u");
  expect(isOn(/^Fail/)).toBe(true);
});

test("a category is completed, a new one is confirmed, and typed text is kept", async () => {
  const { user, listSaved } = await openReviewDesk();
  await user.keyboard("2t");
  const field = panel().getByPlaceholderText<HTMLInputElement>("Search or add a category");
  expect(document.activeElement).toBe(field);
  await user.keyboard("never meant{Escape}");
  expect(field.value).toBe("");
  await user.click(field);
  await user.keyboard("stopped{Enter}");
  expect(isOn(/^Stopped early/)).toBe(true);
  await user.keyboard("stopped{Tab}");
  expect(panel().getByRole("alert").textContent).toContain(
    "“stopped” is not added. Enter adds “Stopped early”",
  );
  await user.click(button("New category “stopped”"));
  expect(isOn("stopped")).toBe(true);
  await user.click(field);
  await user.keyboard("wrong tool{Control>}s{/Control}");
  expect(panel().getByRole("alert").textContent).toContain("“wrong tool” is not added.");
  expect(document.activeElement).toBe(field);
  expect(await listSaved()).toEqual([]);
  await user.keyboard("{Enter}");
  expect(isOn("wrong tool")).toBe(true);
});

test("a draft survives leaving the page, and a key discards and restores it", async () => {
  const { user, reopen, listSaved } = await openReviewDesk();
  await user.type(note(), "half a thought");
  reopen();
  expect(note().value).toBe("half a thought");
  expect(status()).toBe("Draft, not saved");
  await user.keyboard("{Escape}u");
  expect(note().value).toBe("");
  await user.keyboard("u");
  expect(note().value).toBe("half a thought");
  expect(await listSaved()).toEqual([]);
});

test("a conflict with another window shows both judgments and keeps typed text", async () => {
  const { user, store, listSaved } = await openReviewDesk();
  const draft = {
    reviewerId: "Ada",
    reviewerDiscipline: null,
    judgment: "pass",
    categories: [],
    notes: "Elsewhere.",
  };
  await user.type(panel().getByLabelText("Reviewer"), "Ada");
  await user.click(button(/^Fail/));
  await user.type(note(), "Here.");
  await judge(store, { draft, baseVersionId: null });
  await user.click(button("Save"));
  const alert = await panel().findByRole("alert");
  expect(alert.textContent).toContain("You saved another judgment in another window");
  expect(alert.textContent).toContain("Elsewhere.");
  expect(note().value).toBe("Here.");
  expect(await listSaved()).toMatchObject([{ notes: "Elsewhere." }]);
  await user.click(button("Keep mine"));
  await isStatus(/^Saved/);
  expect(await listSaved()).toMatchObject([{ judgment: "fail", notes: "Here." }]);
});

test("a refused save and an unanswered one have different messages and keep the text", async () => {
  const { user } = await openReviewDesk();
  answerAction("saveReview", () => {
    throw new Error("no answer");
  });
  const probe = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => probe.mockRestore());
  await user.type(panel().getByLabelText("Reviewer"), "Ada");
  await user.type(note(), "Kept.");
  await user.click(button(/^Pass/));
  for (const [answer, words, says] of [
    [() => Promise.reject(new TypeError("offline")), "Offline, draft kept", "The server did not respond."],
    [
      () => Promise.resolve(new Response(null, { status: 502 })),
      "Offline, draft kept",
      "The server did not respond.",
    ],
    [() => Promise.resolve(new Response(null, { status: 401 })), "Not saved", "you are signed out"],
    [
      () => Promise.resolve(new Response(null, { status: 403 })),
      "Not saved",
      "the server rejected the request",
    ],
  ] as const) {
    probe.mockImplementation(answer);
    await user.click(button("Save"));
    await isStatus(words);
    await waitFor(() => expect(panel().getByRole("alert").textContent).toContain(says));
    expect(note().value).toBe("Kept.");
  }
});

test.each(["received", "lost"])(
  "a judgment that the server %s without an answer is sent again, once, when its page opens",
  async (fate) => {
    const { user, store, reach, reopen, listSaved } = await openReviewDesk();
    const sent: string[] = [];
    const lose = async (request: ReviewRequest<"save">) => {
      sent.push(String(request.saveId));
      if (fate === "received") await judge(store, request);
      throw new Error("no answer");
    };
    answerAction("saveReview", lose);
    await user.type(panel().getByLabelText("Reviewer"), "Ada");
    await user.type(note(), "Kept.");
    await user.click(button(/^Pass/));
    await user.click(button("Save"));
    await isStatus("Offline, draft kept");
    reach();
    reopen();
    await isStatus(/^Saved/);
    const saved = await listSaved();
    expect(saved).toMatchObject([{ judgment: "pass", notes: "Kept.", versionId: sent[0] }]);
    answerAction("saveReview", lose);
    reopen();
    await isStatus(/^Saved/);
    expect(sent).toHaveLength(1);
    expect(await listSaved()).toEqual(saved);
  },
);

test("a save refused when sent again shows why, and a draft changed after its save is not sent", async () => {
  const { user, reopen, listSaved } = await openReviewDesk();
  const lose = () => Promise.reject(new Error("no answer"));
  answerAction("saveReview", lose);
  await user.type(panel().getByLabelText("Reviewer"), "Ada");
  await user.click(button(/^Pass/));
  await user.click(button("Save"));
  await isStatus("Offline, draft kept");
  let nSent = 0;
  answerAction("saveReview", () => {
    nSent++;
    return { status: "failed", message: "The disk is full.", fields: {} };
  });
  reopen();
  await waitFor(() => expect(panel().getByRole("alert").textContent).toContain("The disk is full."));
  expect(isOn(/^Pass/)).toBe(true);
  answerAction("saveReview", lose);
  await user.click(button("Save"));
  await isStatus("Offline, draft kept");
  await user.click(button(/^Fail/));
  reopen();
  await isStatus("Draft, not saved");
  expect(isOn(/^Fail/)).toBe(true);
  expect(nSent).toBe(1);
  expect(await listSaved()).toEqual([]);
});

test("users who may not judge see the reason instead of the form", async () => {
  await openReviewDesk({ refused: { saveReview: "reviewer" } });
  expect(screen.queryByRole("form", { name: "Review" })).toBeNull();
  expect(screen.getByRole("note").textContent).toContain("Judging requires the reviewer role");
});

test("a key attaches the focused step once, and evidence is saved and removed", async () => {
  const step = (
    <ol>
      <li data-step="4">
        <a href="#4" data-row-link="">
          Step 4
        </a>
        <pre>make test failed</pre>
      </li>
    </ol>
  );
  const { user, listSaved } = await openReviewDesk({ beside: step });
  await user.type(panel().getByLabelText("Reviewer"), "Ada");
  screen.getByRole("link", { name: "Step 4" }).focus();
  await user.keyboard("mm1");
  expect(screen.getByText("Verdict: pass")).toBeTruthy();
  const evidence = panel().getByRole("link", { name: "Step 4" });
  expect(evidence.getAttribute("href")).toContain("step=4");
  expect(panel().getByText("make test failed")).toBeTruthy();
  await user.click(button("Save"));
  await isStatus(/^Saved/);
  expect(await listSaved()).toMatchObject([
    { evidence: [{ kind: "step", place: "4", quote: "make test failed" }] },
  ]);
  await user.click(panel().getByRole("button", { name: /^Remove|^Take off/ }));
  await isStatus("Changed, not saved");
  expect(panel().queryByRole("button", { name: /^Remove|^Take off/ })).toBeNull();
});
