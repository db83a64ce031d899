import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import { OutcomeBar } from "@/components/ui/outcome-bar";
import { type Outcome, OUTCOMES } from "@/lib/core/domain/trial";
import { parseJobsParams } from "@/lib/pages/jobs/address";

import { CompareSelection } from "./compare-selection";

const ROWS = [
  { name: "a", trials: 20, cost: 69.78, unknown: 2 },
  { name: "b", trials: 3, cost: 0, unknown: 3 },
  { name: "c", trials: 1, cost: 0.5, unknown: 0 },
  { name: "a and c", trials: 21, cost: 70.28, unknown: 2, set: "s1" },
];

test("the selection states the sum of its trials and costs, and how many costs are unknown", async () => {
  const { user } = openPage(() => (
    <>
      {ROWS.map(({ name, trials, cost, unknown, set }) => (
        <input
          key={name}
          type="checkbox"
          name="g"
          value={name}
          form="f"
          aria-label={name}
          data-trials={trials}
          data-cost={cost}
          data-unknown={unknown}
          data-set={set}
          data-member={name === "b" || set !== undefined ? undefined : "s1"}
        />
      ))}
      <CompareSelection formId="f" params={parseJobsParams({})} />
    </>
  ));
  for (const name of ["a", "b", "c"]) await user.click(screen.getByRole("checkbox", { name }));
  const said = () => document.querySelector("[aria-live]")?.textContent;
  await waitFor(() => expect(said()).toMatch(/3 groups.*24 trials, \$70\.28 and 5 trials of/u));
  // The set counts its runs, which are ticked, too.
  await user.click(screen.getByRole("checkbox", { name: "a and c" }));
  await waitFor(() => expect(said()).toMatch(/4 groups.*24 trials, \$70\.28 and 5 trials of/u));
  await user.click(screen.getByRole("checkbox", { name: "a and c" }));
  await user.click(screen.getByRole("checkbox", { name: "a" }));
  await user.click(screen.getByRole("checkbox", { name: "c" }));
  await waitFor(() => expect(said()).toMatch(/1 group .*3 trials, cost unknown/u));
});

test("the parts of an outcome bar are as wide as their counts, which its name states", () => {
  const none = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>; // All of them.
  const counts = { ...none, passed: 11, failed: 4, cancelled: 2, errored: 1, missing: 3 };
  openPage(() => <OutcomeBar counts={counts} />);
  const bar = screen.getByRole("img");
  expect(bar.getAttribute("aria-label")).toBe("11 passed, 4 failed, 1 errored, 2 cancelled, 3 missing");
  expect([...bar.children].map((part) => Number((part as HTMLElement).style.flexGrow))).toEqual([
    11, 4, 1, 2, 3,
  ]);
});
