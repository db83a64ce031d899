import { expect, it, onTestFinished, vi } from "vitest";

import { getAnnotationStore } from "@/lib/people/annotations";
import { makeFolder } from "@/lib/testing/folder.fixture";

import { saveReview } from "./actions";

const live = vi.hoisted(() => ({ nSaves: 0 }));

vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));
vi.mock("next/headers", () => ({
  headers: () => Promise.resolve(new Headers()),
  cookies: () => Promise.resolve({ get: () => undefined }),
}));
vi.mock("@/lib/pages/shell/live", () => ({
  noteSave: () => {
    live.nSaves++;
  },
}));
vi.mock("./review", () => ({
  getReviewSubject: () => Promise.resolve({ subject: SUBJECT, item: null, fingerprint: null }),
  getNextToReview: () => Promise.reject(new Error("The next trial cannot be read.")),
}));

const SUBJECT = {
  ...{ trialId: null, jobUuid: null, trialName: "a", jobName: "nightly", rootLabel: "runs" },
  ...{ taskName: "tidy-ledger", agent: "orca", model: null, outcomeSeen: "failed", rewardSeen: "0.0" },
};

it("tells other pages of a save although the next trial cannot be read", async () => {
  vi.stubEnv("ASSAY_DATA", makeFolder({}, "data"));
  const store = getAnnotationStore();
  onTestFinished(async () => {
    await store.close();
    globalThis.assayAnnotationStore = undefined;
  });
  const draft = {
    reviewerId: "Ada",
    reviewerDiscipline: null,
    judgment: "pass",
    categories: [],
    notes: null,
  };
  const saving = saveReview({
    target: { kind: "trial", jobKey: "nightly", trialKey: "a", list: null },
    ...{ draft, seen: null, baseVersionId: null, saveId: null, thenNext: true },
  });
  await expect(saving).rejects.toThrow("The next trial cannot be read.");
  expect(live.nSaves).toBe(1);
});
