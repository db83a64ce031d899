import { expect, it } from "vitest";

import { computeReviewerKey, findDraftProblems } from "./annotation";
import { findNameProblem, isInvisible } from "./name-problem";

const DRAFT = {
  reviewerId: "Ada",
  reviewerDiscipline: null,
  judgment: "fail",
  categories: [],
  notes: null,
  confidence: null,
  evidence: [],
} as const;

it.each(["\u200b", "\u202e", "\u00ad", " \u2060 ", "\u3164", "\u115f", "\ufe0f", "\u2800", "\u0007"])(
  "a name of %j alone is no name",
  (name) => {
    expect(findNameProblem(name)).toContain("invisible characters");
    expect(computeReviewerKey(name)).toBe("");
    expect(findDraftProblems({ ...DRAFT, reviewerId: name }).reviewerId).toContain("invisible characters");
    expect(findDraftProblems({ ...DRAFT, categories: ["Fine", name] }).categories).toContain(
      "invisible characters",
    );
  },
);

it.each([
  ["A\u202eda", "U+202E"],
  ["Ada\u200b", "U+200B"],
  ["\u2066Ada\u2069", "U+2066"],
  ["A\u00adda", "U+00AD"],
])("a name such as %j that hides something is refused by the name of it", (name, code) => {
  expect(findNameProblem(name)).toContain(code);
  expect(findDraftProblems({ ...DRAFT, reviewerId: name }).reviewerId).toContain(code);
});

it.each(["Ada", "名前", "مي\u200cخواهم", "👩\u200d🔬 Ada", "דנה\u200f", "Zoë", "?", "-", "Ada\tB"])(
  "%j is a name",
  (name) => {
    expect(findNameProblem(name)).toBeNull();
    expect(isInvisible(name)).toBe(false);
    expect(findDraftProblems({ ...DRAFT, reviewerId: name, categories: [name] })).toEqual({});
  },
);

it("a blank name is asked for in the words of the form", () => {
  expect(findNameProblem("  ")).toBeNull();
  expect(findDraftProblems({ ...DRAFT, reviewerId: " " }).reviewerId).toContain("Enter your name");
});
