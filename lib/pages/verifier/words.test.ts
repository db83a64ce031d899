import { expect, test } from "vitest";

import { collectSample, describeMargin } from "@/lib/people/labels/sample";

import { drawnFrom, type ReferenceTrial, toDraw, toPopulationOf, toScopeTrial } from "./draws.fixture";
import { reviewVerifier } from "./review";
import { describeLeftOut, describeVerdict } from "./view";

/** 400 trials of one agent, half of them passed, with some labels. */
function describe(labels: {
  bothPassed: number;
  onlyVerifier: number;
  onlyHuman: number;
  bothFailed: number;
}) {
  const trials = Array.from({ length: 400 }, (_, at): ReferenceTrial => {
    return {
      job: 1,
      key: `t${String(at)}`,
      agent: "orca",
      family: "a",
      passed: at < 200,
      human: true,
      state: "",
    };
  });
  const population = toPopulationOf(trials);
  const { bothPassed, onlyVerifier, onlyHuman, bothFailed } = labels;
  const passed = [...Array<"pass">(bothPassed).fill("pass"), ...Array<"fail">(onlyVerifier).fill("fail")];
  const failed = [...Array<"pass">(onlyHuman).fill("pass"), ...Array<"fail">(bothFailed).fill("fail")];
  const judged = [
    ...trials.slice(0, passed.length).map((trial, at) => toScopeTrial(trial, passed[at] ?? null)),
    ...trials.slice(200, 200 + failed.length).map((trial, at) => toScopeTrial(trial, failed[at] ?? null)),
  ];
  const draw = toDraw("one", drawnFrom(population, "stratified"), population, judged);
  return describeVerdict(reviewVerifier(collectSample(population, [draw])));
}

test("the headline never claims more than the interval", () => {
  // 10 of 50 fails would be passes: the interval of the score leaves the recorded one out.
  expect(describe({ bothPassed: 50, onlyVerifier: 0, onlyHuman: 10, bothFailed: 40 }).headline).toBe(
    "The verifier is too strict: humans would give a higher score.",
  );
  expect(describe({ bothPassed: 40, onlyVerifier: 10, onlyHuman: 0, bothFailed: 50 }).headline).toBe(
    "The verifier is too lenient: humans would give a lower score.",
  );
  // The same shares among few labels do not.
  const few = describe({ bothPassed: 8, onlyVerifier: 1, onlyHuman: 2, bothFailed: 8 });
  expect(few.headline).toBe("The verifier looks too strict, but 19 labels are too few to be sure.");
  expect(few.sentences.join(" ")).toMatch(
    // Wilson intervals of 8 of 9 and 2 of 10 lean towards one half, and so do their sums.
    /The score would be 0\.544 \[0\.\d{3}, 0\.\d{3}\] instead of 0\.500: 4\.4 points higher, could be no change\./,
  );
  expect(describe({ bothPassed: 9, onlyVerifier: 1, onlyHuman: 1, bothFailed: 9 }).headline).toBe(
    "Humans come to the same score, but 20 labels do not exclude a difference.",
  );
});

test("an interval is ± if its printed sides are equal, else both ends", () => {
  const corrected = 0.6;
  expect(describeMargin({ corrected, low: 0.5, high: 0.7 })).toBe("±0.100");
  expect(describeMargin({ corrected, low: 0.5, high: 0.7004 })).toBe("±0.100");
  expect(describeMargin({ corrected, low: 0.5, high: 0.702 })).toBe("[0.500, 0.702]");
  expect(describeMargin({ corrected, low: 0.5, high: 0.702 }, 2)).toBe("±0.10");
  expect(describeMargin({ corrected: 0.05, low: 0.01, high: 0.21 }, 2)).toBe("[0.01, 0.21]");
  expect(describeMargin({ corrected: 1, low: 1, high: 1 })).toBe("±0.000");
});

test("too few labels show the number needed, and the effect of the next ones", () => {
  const { headline, sentences } = describe({ bothPassed: 2, onlyVerifier: 0, onlyHuman: 0, bothFailed: 4 });
  expect(headline).toBe("Too few labels to judge the verifier.");
  expect(sentences[0]).toBe("The score cannot be corrected: it needs 3 pass and 1 not pass.");
  expect(sentences[1]).toMatch(
    /^The next 20 labels would give a score with half an interval of about \d+\.\d points\.$/,
  );
  expect(describe({ bothPassed: 0, onlyVerifier: 0, onlyHuman: 0, bothFailed: 0 }).headline).toBe(
    "No sampled trials reviewed yet.",
  );
});

test("left-out labels are listed with their reason", () => {
  expect(describeLeftOut(new Map([["by-hand", 12] as const, ["deferred", 1] as const]))).toEqual([
    "12 labels were not randomly sampled: left out",
    "1 trial was deferred: left out",
  ]);
});
