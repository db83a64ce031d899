import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { OUTCOMES } from "@/lib/core/domain/trial";
import type { JobGroup } from "@/lib/pages/job/page";

import { GroupFigures } from "./group-figures";

const FIGURE = { recorded: null, recomputed: "0.9374615384615385", verdict: "not-recorded", path: "a" };

test("a mean that result.json does not record is computed from the trials, and every outcome is counted", () => {
  const counts = { ...Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])), passed: 15, timeout: 1 };
  const group = {
    ...{ setup: null, headline: null, basis: "", nTrials: 16, counts, nWithCost: 0, costUsd: null },
    ...{ costPerPass: null, regraded: { nTrials: 0, costUsd: null } },
    group: { key: "a__d", agent: "a", model: null },
    interval: { kind: "unavailable" },
    metricLines: [{ figure: FIGURE, metric: "mean", rewardKey: null }],
  } as unknown as JobGroup;
  render(<GroupFigures jobKey="run" group={group} isDivided={false} correction={null} />);
  const means = screen.getAllByText("0.937");
  expect(means.map((mean) => mean.closest("[title^='Computed']")?.textContent)).toEqual(["0.937"]);
  expect(screen.getByRole("img", { name: "15 passed, 1 timeout" })).toBeDefined();
});
