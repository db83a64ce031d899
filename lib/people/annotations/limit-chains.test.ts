import { expect, it } from "vitest";

import type { Annotation } from "@/lib/core/domain/annotation";

import { limitChains } from "./list";
import type { ReviewerChain } from "./record";

const SUBJECT = {
  trialId: null,
  jobUuid: null,
  trialName: "t",
  jobName: "j",
  rootLabel: "jobs",
  taskName: "tidy",
  agent: "orca",
  model: null,
  outcomeSeen: "passed",
  rewardSeen: "1",
} as const;

/** One reviewer who saved notes, the newest first; the first of them counts. */
function makeChain(reviewerKey: string, ...notes: readonly string[]): ReviewerChain {
  const versions = notes.map((note, n): Annotation => ({
    versionId: `${reviewerKey}-${n}`,
    version: notes.length - n,
    subject: SUBJECT,
    reviewerId: reviewerKey,
    reviewerDiscipline: null,
    timestamp: "2026-05-01T10:00:00.000Z",
    judgment: "pass",
    categories: [],
    notes: note,
    confidence: null,
    evidence: [],
    queue: null,
    hidden: null,
    codebookVersion: null,
    fingerprint: null,
    status: n === 0 ? "current" : "superseded",
    withdrawnAt: null,
    savedBy: null,
    withdrawnBy: null,
  }));
  const [current = null] = versions;
  return { reviewerKey, reviewerId: reviewerKey, headVersionId: `${reviewerKey}-0`, current, versions };
}

const LONGEST = "<".repeat(20_000);
const many = Array.from({ length: 2_000 }, (_, n) => makeChain(`r${n}`, `${LONGEST}${n}`, "older"));

it("shows every judgment of a trial that people judged", () => {
  const chains = Array.from({ length: 20 }, (_, n) => makeChain(`r${n}`, "A reason.", "Another one."));
  const shown = limitChains(chains);
  expect(shown).toMatchObject({ nReviewers: 20, nVersions: 40, nHidden: 0 });
  expect(shown.chains.map(({ isCurrentHidden, ...chain }) => chain)).toEqual(chains);
  expect(shown.chains.every(({ isCurrentHidden }) => !isCurrentHidden)).toBe(true);
});

it("shows at most one page of very many, and counts them all", () => {
  const shown = limitChains(many);
  expect(shown).toMatchObject({ nReviewers: 2_000, nVersions: 4_000 });
  const nShown = shown.chains.reduce((sum, { versions }) => sum + versions.length, 0);
  expect(nShown).toBeGreaterThan(0);
  expect(shown.nHidden).toBe(4_000 - nShown);
  expect(JSON.stringify(shown).length).toBeLessThan(400_000);
  for (const { current, isCurrentHidden, headVersionId } of shown.chains) {
    expect(current === null).toBe(isCurrentHidden);
    expect(headVersionId).not.toBe("");
    // A note is never shown in part: an edit would lose the rest.
    if (current !== null) expect(current.notes?.length).toBeGreaterThan(LONGEST.length);
  }
});

it("shows first what the asking browser saved itself", () => {
  const shown = limitChains(many, new Set(["r1999-0"]));
  expect(shown.chains.find(({ reviewerKey }) => reviewerKey === "r1999")?.current?.notes).toBe(
    `${LONGEST}1999`,
  );
});
