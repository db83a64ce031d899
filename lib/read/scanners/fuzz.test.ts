import fc from "fast-check";
import { expect, it } from "vitest";

import { arbitraryMutation, withinTime } from "@/lib/testing/mutations.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { BUNDLED_SCANNERS } from "./bundled";
import { isRefused, parseScanner } from "./scanner-file";

const SAMPLES = BUNDLED_SCANNERS.map(({ text }) => text);

it("a scanner's file is a scanner, or refused at a line of it", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryMutation(SAMPLES), ({ text }) =>
      withinTime(() => {
        const parsed = parseScanner({ file: "own.toml", text, isOwn: true });
        if (!isRefused(parsed)) return;
        expect(parsed.reason).toMatch(/\S.*\.$/su);
        expect(parsed.line).toBeGreaterThan(0);
        expect(parsed.line).toBeLessThanOrEqual(text.split("\n").length);
      }),
    ),
    planRuns({ short: 60, long: 25_000 }),
  );
});
