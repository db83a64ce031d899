import { expect, test } from "vitest";

import {
  type Agreement,
  type CategorizedItem,
  type Coefficient,
  computeAgreement,
  computeAgreementByCategory,
} from "./agreement";
import { expectClose } from "./expect-close.fixture";
import type { Unavailable } from "./unavailable";

const OPTIONS = { resamples: 200, categories: ["stopped early", "misread task", "rare", "never"] };

function expectAgreement(
  found: ReturnType<typeof computeAgreementByCategory>[number] | undefined,
): Agreement {
  if (found?.agreement.kind !== "computed") throw new Error("no agreement");
  return found.agreement;
}

function readValue(figure: Coefficient | Unavailable): number {
  return figure.kind === "computed" ? figure.value : Number.NaN;
}

/** 60 items: 12 given by both, 3 by the first alone, 5 by the second alone, 40 by neither; `rare` on four of them. */
const items: CategorizedItem[] = Array.from({ length: 60 }, (_, index) => {
  const first = index < 15 ? ["stopped early"] : [];
  const second = index < 12 || (index >= 15 && index < 20) ? ["misread task", "stopped early"] : [];
  return { task: String(index), given: [index < 4 ? [...first, "rare"] : first, second] };
});

test("each category as given or not: percent, kappa, alpha and AC1 of its table of four", () => {
  const [stopped, misread] = computeAgreementByCategory(items, OPTIONS);
  expect(stopped).toMatchObject({ category: "stopped early", nPaired: 60, nNamed: 20 });
  const found = expectAgreement(stopped);
  const observed = 52 / 60;
  const chance = (15 * 17 + 45 * 43) / 3600;
  const share = 32 / 120;
  expectClose(readValue(found.percent), observed, "percent");
  expectClose(readValue(found.kappa), (observed - chance) / (1 - chance), "kappa");
  const ofAlpha = (32 * 31 + 88 * 87) / (120 * 119);
  expectClose(readValue(found.alpha), (observed - ofAlpha) / (1 - ofAlpha), "alpha");
  const ofAc1 = 2 * share * (1 - share);
  expectClose(readValue(found.ac1), (observed - ofAc1) / (1 - ofAc1), "AC1");
  expectClose(found.categories[0]?.prevalence ?? null, share, "prevalence");
  expect(found.kappa).toMatchObject({ bounds: { nRows: 60, method: "bca" } });
  // Only one of the two ever gave it: they agree as often as by chance.
  expect(Math.abs(readValue(expectAgreement(misread).kappa))).toBeLessThan(1e-12);
});

test("a category on fewer than five items is refused with their number", () => {
  const [, , rare, never] = computeAgreementByCategory(items, OPTIONS);
  const refused = { kind: "unavailable", reason: "rare-category" };
  expect(rare).toEqual({ category: "rare", nPaired: 60, nNamed: 4, agreement: refused });
  expect(never).toEqual({ category: "never", nPaired: 60, nNamed: 0, agreement: refused });
});

test("who did not judge is missing, who gave no category did judge", () => {
  const single = items.map(({ task, given }) => ({ task, given: [given[0] ?? null, null] }));
  expect(computeAgreementByCategory(single, OPTIONS)[0]).toMatchObject({
    nPaired: 0,
    nNamed: 0,
    agreement: { reason: "no-double-labels" },
  });
  const third = items.map(({ task, given }, index) => ({ task, given: [...given, index < 2 ? [] : null] }));
  expect(computeAgreementByCategory(third, OPTIONS)[0]?.agreement).toMatchObject({
    nRaters: 3,
    nMissing: 58,
    kappa: { reason: "not-two-raters" },
  });
});

test.each([
  [11, 1, "few-items"],
  [49, 1, "few-items"],
  [50, 1, null],
  [98, 2, "few-tasks"],
  [100, 2, null],
])("%d items of which %d are of one task: %s", (nItems, nOfTask, warning) => {
  const rated = Array.from({ length: nItems }, (_, index) => ({
    task: String(Math.floor(index / nOfTask)),
    labels: ["pass", index % 3 === 0 ? "fail" : "pass"],
  }));
  const single = { task: "single", labels: ["pass", null] };
  const found = computeAgreement([...rated, single], { resamples: 2, categories: ["pass", "fail"] });
  expect(found).toMatchObject({ warning, nPaired: nItems, nTasks: nItems / nOfTask });
});
