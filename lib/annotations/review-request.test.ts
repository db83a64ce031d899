import { expect, it } from "vitest";

import { parseReviewRequest, REVIEW_REQUESTS } from "./review-request";

it("takes a save of a trial whose reward is a whole number of any length that Python writes", () => {
  const request = {
    jobKey: "run",
    trialKey: "alpha__aaaaaaa",
    draft: {},
    baseVersionId: null,
    saveId: null,
    outcomeSeen: "partial",
    rewardSeen: "9".repeat(4300),
    thenNext: false,
    list: null,
  };
  expect(parseReviewRequest(REVIEW_REQUESTS.save, request)).toMatchObject({ rewardSeen: "9".repeat(4300) });
  expect(() => parseReviewRequest(REVIEW_REQUESTS.save, { ...request, jobKey: 5 })).toThrow(
    "The page is out of date",
  );
});

it("takes a way to the next trial from anybody, and nothing that is none", () => {
  const request = { jobKey: "run", trialKey: "alpha__aaaaaaa", reviewerId: "", list: null };
  expect(parseReviewRequest(REVIEW_REQUESTS.next, request)).toEqual(request);
  const wrongs = [{ reviewerId: 5 }, { jobKey: ["run"] }, { list: "a".repeat(2000) }];
  for (const wrong of [undefined, ...wrongs.map((change) => ({ ...request, ...change }))]) {
    expect(() => parseReviewRequest(REVIEW_REQUESTS.next, wrong)).toThrow("The page is out of date");
  }
});
