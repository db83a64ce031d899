import { describe, expect, it } from "vitest";

import { decodeSegment } from "@/lib/core/domain/segment";

import { buildHref, jobHref, trialHref } from "./href";

describe("addresses", () => {
  it("omits empty values and repeats lists", () => {
    expect(buildHref("/", { q: "", agent: ["a", "b"], sort: undefined, page: 2 })).toBe(
      "/?agent=a&agent=b&page=2",
    );
    expect(buildHref("/")).toBe("/");
  });

  it("encodes names that would break a path", () => {
    expect(jobHref("Hermes 70B/x?y#z")).toBe("/jobs/Hermes%2070B%2Fx%3Fy%23z");
    expect(trialHref("job\ud800", "a\udc00", {})).toBe("/jobs/job%EF%BF%BD/trials/a%EF%BF%BD");
    expect(trialHref("j", "a__b", { step: 12 })).toBe("/jobs/j/trials/a__b?step=12");
  });
});

describe("decodeSegment", () => {
  it("decodes the name, and keeps invalid encodings", () => {
    expect(["a%20b", "a b", "100%", "%2F", "%E0%A4%A"].map(decodeSegment)).toEqual([
      "a b",
      "a b",
      "100%",
      "/",
      "%E0%A4%A",
    ]);
  });
});
