import { expect, it } from "vitest";

import { parseReviewRequest, REVIEW_REQUESTS } from "./review-request";

const target = { kind: "trial", jobKey: "run", trialKey: "alpha__aaaaaaa", list: null } as const;

it("takes a save of a trial whose reward is a whole number of any length that Python writes", () => {
  const seen = { outcome: "partial", reward: "9".repeat(4300) } as const;
  const request = { target, draft: {}, baseVersionId: null, saveId: null, seen, thenNext: false };
  expect(parseReviewRequest(REVIEW_REQUESTS.save, request)).toMatchObject({ seen });
  const wrong = { ...request, target: { ...target, jobKey: 5 } };
  expect(() => parseReviewRequest(REVIEW_REQUESTS.save, wrong)).toThrow("The page is out of date");
});

it("takes a way to the next trial from anybody, and nothing that is none", () => {
  const request = { target, reviewerId: "" };
  expect(parseReviewRequest(REVIEW_REQUESTS.next, request)).toEqual(request);
  const item = { target: { kind: "item", queueId: "q", position: 0 }, reviewerId: "" };
  expect(parseReviewRequest(REVIEW_REQUESTS.next, item)).toEqual(item);
  const targets = [
    { ...target, jobKey: ["run"] },
    { ...target, list: "a".repeat(2000) },
    { ...item.target, position: -1 },
    { ...target, kind: "job" },
  ];
  const wrongs = [
    undefined,
    { ...request, reviewerId: 5 },
    ...targets.map((one) => ({ ...request, target: one })),
  ];
  for (const wrong of wrongs) {
    expect(() => parseReviewRequest(REVIEW_REQUESTS.next, wrong)).toThrow("The page is out of date");
  }
});
