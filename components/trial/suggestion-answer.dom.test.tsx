import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import { answerAction } from "@/components/testing/server-actions.fixture";
import type { SuggestionAnswer } from "@/lib/core/domain/suggestion";

import { SuggestionAnswers } from "./suggestion-answer";

const SUGGESTER = { suggester: "rule:agent-timeout", version: "1" };
const TARGET = { kind: "trial", jobKey: "nightly", trialKey: "a", list: null } as const;

function openSuggestion() {
  let mine: SuggestionAnswer | null = null;
  const page = openPage(() => {
    const answers = [
      { ...SUGGESTER, answer: mine, isOwn: true, reviewerId: "Ada" },
      { ...SUGGESTER, answer: "accepted" as const, isOwn: false, reviewerId: "Ines" },
    ].flatMap(({ answer, ...one }) => (answer === null ? [] : [{ ...one, answer }]));
    return (
      <SuggestionAnswers
        of={{ target: TARGET, answers } as never}
        suggestion={{ ...SUGGESTER, category: "Timeout" } as never}
        label="Timeout"
      />
    );
  });
  answerAction("answerSuggestionAction", ({ answer }: { readonly answer: SuggestionAnswer | null }) => {
    mine = answer;
    page.redraw();
    return { status: "done" };
  });
  return page;
}

const isOn = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-pressed") === "true";

test("a suggestion is answered, disputed and undone, and the name is required once", async () => {
  const { user } = openSuggestion();
  expect(screen.getByText("Ines: yes")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "No" }));
  expect(document.activeElement).toBe(screen.getByLabelText("Your name"));
  await user.keyboard("{Escape}");
  expect(screen.queryByLabelText("Your name")).toBeNull();
  await user.click(screen.getByRole("button", { name: "No" }));
  await user.keyboard("Ada{Enter}");
  await waitFor(() => expect(isOn("No")).toBe(true));
  expect(screen.getByText("Answered: No.")).toBeTruthy();
  expect(screen.getByText("Reviewers disagree: Ines: yes")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "No" }));
  await waitFor(() => expect(isOn("No")).toBe(false));
  expect(screen.getByText("Answer undone.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Yes" }));
  await waitFor(() => expect(isOn("Yes")).toBe(true));
});
