import fc from "fast-check";
import { expect, it, vi } from "vitest";

import { makeRuleSet } from "@/lib/core/triage/rule-set";
import { Classifier } from "@/lib/core/triage/rules";
import { findSetsByRule } from "@/lib/pages/run-sets/rule";
import { scanTrial } from "@/lib/read/scanners/scan-trial";
import { isRefused, parseScanner } from "@/lib/read/scanners/scanner-file";
import { StoppableSearch } from "@/lib/read/trial-reading/stoppable-search";
import { withinTime } from "@/lib/testing/mutations.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import type * as timed from "./run-in-time";

/** Short enough for many patterns that never end. */
vi.mock("./run-in-time", async (importOriginal) => ({
  ...(await importOriginal<typeof timed>()),
  PATTERN_MS: 40,
}));

const makeRule = (pattern: string) =>
  ["own", "later"]
    .map(
      (id) =>
        `[[rule]]\nid = "${id}"\nclass = "infrastructure"\nwhy = "Ours."\nmatch = [{ end = '${id === "own" ? pattern : "a"}' }]\n`,
    )
    .join("");

const classify = (classifier: Classifier, text: string) =>
  classifier.classify({
    facts: new Set(),
    signals: [{ kind: "end", text, place: { file: "a.txt", line: 1, step: null } }],
  });

const makeScanner = (pattern: string) => `id = "own"
version = 1
title = "Own"
meaning = "Own."
category = "conduct"
severity = "low"
scope = "steps"
[[when]]
message = '(?:${pattern})|example'
[[matches]]
message = "example"
[[misses]]
message = ""
`;

async function scan(pattern: string, text: string) {
  const scanner = parseScanner({ file: "own.toml", text: makeScanner(pattern), isOwn: true });
  if (isRefused(scanner)) return { stopped: scanner.reason, nPlaces: 0 };
  const event = { step: "1", file: "", lane: "main", role: "agent" as const };
  const fields = { tool: "", files: "", reasoning: "", message: text, arguments: "", output: "" };
  const trial = { events: [{ ...event, ...fields }], paths: [], readText: () => Promise.resolve(null) };
  const [result] = await scanTrial([scanner], trial);
  return result;
}

/** Rules of run sets take no more. */
const MOST_CHARS = 190;

/** Repetitions of repetitions of the letter "a", which a "!" has to follow. */
const { slow } = fc.letrec<{ slow: string; part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("a", ".", "[^!]", "(?=a)a", "(?<=a|^)a"),
    tie("slow"),
  ),
  slow: fc
    .tuple(tie("part"), tie("part"), fc.constantFrom("*", "+", "{1,40}", "*?"))
    .map(([one, other, many]) => `(${one}|${other}|${one}${other})${many}`),
}));

it("each pattern of a user matches what it should, or is stopped in time and said to be", async () => {
  await fc.assert(
    fc.asyncProperty(
      slow.filter(({ length }) => length < MOST_CHARS),
      fc.integer({ min: 1, max: 150 }),
      fc.boolean(),
      async (body, length, fits) => {
        const pattern = `^${body}a*!$`;
        const text = "a".repeat(length) + (fits ? "!" : "?");
        await withinTime(async () => {
          const verdict = classify(new Classifier(makeRuleSet(makeRule(pattern)).set), text);
          if (verdict.stopped === null) expect(verdict.rule).toBe(fits ? "own" : "later");
          else
            expect([verdict.stopped, verdict.rule, verdict.failureClass]).toEqual([
              "own",
              null,
              "unexplained",
            ]);

          const result = await scan(pattern, text);
          if ((result?.stopped ?? null) === null) expect(result?.nPlaces ?? 0).toBe(fits ? 1 : 0);
          else expect(result?.stopped).toMatch(/took more than|takes too long/u);

          const search = new StoppableSearch({ text: pattern, isPattern: true, isCased: true });
          const places = search.run([text], [0], 10);
          if (typeof places === "string") expect(places).toContain("too long");
          else expect(places).toEqual(fits ? [[0, 0, text.length]] : []);

          const { sets, problem } = findSetsByRule([{ ref: "one", jobName: text, kind: "" }], pattern);
          if (problem === null) expect(sets).toEqual(fits ? [["one"]] : []);
          else expect(problem).toContain("too long");
        });
      },
    ),
    planRuns({ short: 8, long: 400 }),
  );
});

it("a rule that was stopped often enough is asked of no further trial", () => {
  const classifier = new Classifier(makeRuleSet(makeRule("^(a|a)*!$")).set);
  const slowText = `${"a".repeat(60)}?`;
  expect(classify(classifier, "aa!")).toMatchObject({ rule: "own", stopped: null });
  expect(classify(classifier, slowText)).toMatchObject({ rule: null, stopped: "own" });
  expect(classify(classifier, "aa!")).toMatchObject({ rule: "own", stopped: null });
  for (let nTrials = 0; nTrials < 12; nTrials++) classify(classifier, slowText);
  expect(classify(classifier, "aa!")).toMatchObject({
    failureClass: "unexplained",
    rule: null,
    stopped: "own",
  });
});

it("trials that are classified together have the classes that they have alone", () => {
  const texts = ["aa!", `${"a".repeat(60)}?`, "a?", "none"];
  const trials = texts.map((text) => ({
    facts: new Set<never>(),
    signals: [{ kind: "end" as const, text, place: { file: "a.txt", line: 1, step: null } }],
  }));
  const together = new Classifier(makeRuleSet(makeRule("^(a|a)*!$")).set).classifyAll(trials);
  expect(together.map(({ rule, stopped }) => [rule, stopped])).toEqual([
    ["own", null],
    [null, "own"],
    ["later", null],
    [null, null],
  ]);
});
