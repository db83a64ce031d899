import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import type { Route } from "next";
import { expect, onTestFinished, test, vi } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";

import { FindField } from "./find-field";

const PAGE = "/jobs/nightly/trials/a";

function openFind(address: string) {
  return openPage(
    ({ searchParams }) => {
      const isFound = searchParams.has("find");
      return (
        <>
          <FindField
            label="Find in all 4 steps"
            noun="match"
            nextHref={isFound ? (`${PAGE}?find=heron&step=3` as Route) : null}
            previousHref={isFound ? (`${PAGE}?find=heron&step=1` as Route) : null}
          />
          <ol className="steps">
            <li className="step-current">
              <a href="#step-1" data-row-link="">
                Step 1
              </a>
            </li>
          </ol>
        </>
      );
    },
    { address },
  );
}

const field = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Find in all 4 steps" });
const isOn = (name: RegExp) => screen.getByRole("button", { name }).getAttribute("aria-pressed") === "true";

test("the browser's find key searches all steps, and Enter moves between matches", async () => {
  const { user, visited } = openFind(`${PAGE}?step=2`);
  await user.keyboard("{Control>}f{/Control}");
  expect(document.activeElement).toBe(field());
  await user.keyboard("heron");
  // The open step does not limit the matches.
  await waitFor(() => expect(visited.at(-1)).toBe(`${PAGE}?find=heron`));
  await screen.findByRole("link", { name: "Next match" });
  await user.keyboard("{Enter}");
  expect(visited.at(-1)).toBe(`${PAGE}?find=heron&step=3`);
  expect(document.activeElement).toBe(field());
  await user.keyboard("{Shift>}{Enter}{/Shift}");
  expect(visited.at(-1)).toBe(`${PAGE}?find=heron&step=1`);
});

test("Enter writes the text at once, and nothing later", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { visited } = openFind(`${PAGE}?find=heron`);
  const type = (value: string) => fireEvent.change(field(), { target: { value } });
  const pause = () => act(() => void vi.advanceTimersByTime(1_000));
  const enter = () => fireEvent.keyDown(field(), { key: "Enter" });
  type("herons");
  type("heron");
  enter();
  pause();
  expect(visited.at(-1)).toBe(`${PAGE}?find=heron&step=3`);
  type("other");
  enter();
  expect(visited.at(-1)).toBe(`${PAGE}?find=other`);
  pause();
  expect(visited).toHaveLength(3);
});

test("keys and buttons switch case and patterns without losing typed text", async () => {
  const { user, visited } = openFind(PAGE);
  await user.click(field());
  await user.keyboard("line");
  await user.keyboard("{Alt>}c{/Alt}");
  expect(visited.at(-1)).toBe(`${PAGE}?case=1&find=line`);
  expect(isOn(/^Match case/)).toBe(true);
  await user.click(screen.getByRole("button", { name: /^Regular expression/ }));
  expect(visited.at(-1)).toBe(`${PAGE}?case=1&pattern=1&find=line`);
  await user.click(field());
  await user.keyboard("{Alt>}c{/Alt}");
  expect(visited.at(-1)).toBe(`${PAGE}?pattern=1&find=line`);
});

test("Escape moves to the match, clears an unsearched text, then leaves the field", async () => {
  const { user, visited } = openFind(`${PAGE}?find=heron`);
  await user.click(field());
  await user.keyboard("{Escape}");
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "Step 1" }));
  await user.click(field());
  // Without a pause, in which the text would be searched.
  fireEvent.change(field(), { target: { value: "other" } });
  fireEvent.keyDown(field(), { key: "Escape" });
  await waitFor(() => expect(visited.at(-1)).toBe(PAGE));
  expect(field().value).toBe("");
  await user.keyboard("{Escape}");
  expect(document.activeElement).toBe(document.body);
});
