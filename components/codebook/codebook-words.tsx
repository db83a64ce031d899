import type { Category, CategoryColour } from "@/lib/core/domain/codebook";
import { CATEGORY_CONTEXTS, type CategoryContext } from "@/lib/core/domain/review";

import "../annotations/category-colours.css";
import "./codebook.css";

export const CONTEXT_WORDS: Readonly<Record<CategoryContext, string>> = {
  pass: "Pass",
  fail: "Fail",
  defer: "Defer",
  "pass-against": "Pass, verifier did not pass it",
  "fail-against": "Fail, verifier passed it",
};

export const STATE_WORDS: Readonly<Record<Category["state"], string>> = {
  live: "In use",
  merged: "Merged",
  split: "Split",
  retired: "Retired",
};

export function CategoryDot({ colour }: { colour: CategoryColour | null }) {
  return colour === null ? null : <span className="codebook-dot" data-colour={colour} title={colour} />;
}

export function describeContexts(contexts: readonly CategoryContext[]): string {
  return CATEGORY_CONTEXTS.filter((one) => contexts.includes(one))
    .filter((one) => !(one === "pass-against" && contexts.includes("pass")))
    .filter((one) => !(one === "fail-against" && contexts.includes("fail")))
    .map((one) => CONTEXT_WORDS[one])
    .join("; ");
}
