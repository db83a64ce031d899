import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import type { TaxonomyPage } from "@/lib/pages/taxonomy/page";

import { SuggestersTable } from "./taxonomy-tables";

test("suggestions for trials of oracle and nop are named, as the rest of the page excludes them", () => {
  const suggesters: TaxonomyPage["suggesters"] = [
    {
      ...{ suggester: "rule:oracle-failed", kind: "rule", id: "oracle-failed", version: "task_broken" },
      ...{ nTrials: 18, nAccepted: 0, nRejected: 0, nDisputed: 0, rate: null },
    },
  ];
  render(
    <SuggestersTable page={{ suggesters, scanners: new Map() } as unknown as TaxonomyPage} fewest={5} />,
  );
  expect(screen.getByRole("row", { name: /oracle-failed/ }).textContent).toContain("18");
  expect(screen.getByText(/oracle and nop included/)).toBeTruthy();
});
