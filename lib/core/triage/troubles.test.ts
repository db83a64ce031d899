import { describe, expect, it } from "vitest";

import { type EndedTrial, findTroubles } from "./troubles";

const trial = (agentModel: string, endedMs: number, failure: EndedTrial["failure"] = null): EndedTrial => ({
  agentModel,
  endedMs,
  failure,
});
const limited = (text: string) => ({ failureClass: "provider", text }) as const;

describe("troubles of a run", () => {
  it("are what half of an agent's last ten trials failed by, with what most of them show", () => {
    const trials = [
      ...Array.from({ length: 8 }, (_, at) =>
        trial("B", 100 + at, limited(at < 2 ? "Error: 529" : "Error: 429")),
      ),
      trial("B", 90),
      trial("B", 91),
      // Older, and of no account.
      ...Array.from({ length: 20 }, (_, at) => trial("B", at)),
      ...Array.from({ length: 10 }, (_, at) => trial("A", at)),
    ];
    expect(findTroubles(trials)).toEqual([
      {
        agentModel: "B",
        failureClass: "provider",
        nTrials: 8,
        nRecent: 10,
        sinceMs: 100,
        text: "Error: 429",
      },
    ]);
  });

  it("are over when later trials pass", () => {
    const trials = [
      ...Array.from({ length: 8 }, (_, at) => trial("B", at, limited("Error: 429"))),
      ...Array.from({ length: 6 }, (_, at) => trial("B", 100 + at)),
    ];
    expect(findTroubles(trials)).toEqual([]);
  });

  it("are no wrong answers, and never two trials", () => {
    const wrong = { failureClass: "wrong_answer", text: "test_a" } as const;
    expect(findTroubles(Array.from({ length: 10 }, (_, at) => trial("A", at, wrong)))).toEqual([]);
    expect(findTroubles([trial("A", 1, limited("x")), trial("A", 2, limited("x"))])).toEqual([]);
    expect(findTroubles([1, 2, 3].map((at) => trial("A", at, limited("x"))))).toHaveLength(1);
  });
});
