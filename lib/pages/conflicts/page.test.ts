import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { Annotation, AnnotationSubject } from "@/lib/core/domain/annotation";
import { type Judgment, JUDGMENTS } from "@/lib/core/domain/judgment";
import { BLIND_PARTS, type BlindPart } from "@/lib/core/domain/review";
import { resolveAdjudication } from "@/lib/core/evaluation";
import type { CodebookHistory, Decision, Queue } from "@/lib/people/annotations";
import { type ScopeLabel, type ScopeTrial, settle } from "@/lib/people/labels/draws";
import { planRuns } from "@/lib/testing/plan-runs";

import { computeScopeAgreement } from "../annotations/agreement";
import type { ScopeContent } from "../annotations/judged";
import { openConflict, listConflicts } from "./page";

const HISTORY: CodebookHistory = {
  codebook: { version: 0, categories: [], isOpenCoding: false },
  byId: new Map(),
  changes: [],
  namings: new Map(),
  problem: null,
};
const SUBJECT: AnnotationSubject = {
  trialId: null,
  jobUuid: null,
  trialName: "t",
  jobName: "secret-job",
  rootLabel: "runs",
  taskName: "task",
  agent: "secret-agent",
  model: "secret-model",
  outcomeSeen: "failed",
  rewardSeen: "0.125",
};

function label(reviewerId: string, judgment: Judgment, change: Partial<Annotation> = {}): ScopeLabel {
  const annotation: Annotation = {
    versionId: `${reviewerId} ${judgment}`,
    version: 1,
    subject: SUBJECT,
    reviewerId,
    reviewerDiscipline: null,
    timestamp: "2026-11-14T10:00:00.000Z",
    judgment,
    categories: [],
    notes: null,
    confidence: null,
    evidence: [],
    queue: null,
    hidden: null,
    codebookVersion: null,
    fingerprint: null,
    status: "current",
    withdrawnAt: null,
    savedBy: null,
    withdrawnBy: null,
    ...change,
  };
  return { reviewerKey: reviewerId.toLowerCase(), annotation, isStale: false };
}

function trial(
  taskName: string,
  labels: readonly ScopeLabel[],
  decision: Decision | null = null,
): ScopeTrial {
  const subject = { ...SUBJECT, taskName };
  return {
    place: null,
    subject,
    labels,
    decision,
    ...settle(labels, decision, 2),
    position: 0,
    nReviewers: 2,
  };
}

function queueThatHides(hides: readonly BlindPart[]): Queue {
  return {
    queueId: "q",
    createdAt: "2026-11-14T10:00:00.000Z",
    createdBy: "Lea",
    isClosed: false,
    items: [],
    unreadable: [],
    leases: [],
    skips: [],
    settings: {
      name: "Audit",
      goal: "agreement",
      method: "all",
      seed: null,
      order: "list",
      source: "",
      sourceHref: null,
      reviewers: [],
      doubleShare: 1,
      hides,
      isOpenCoding: false,
      strata: [],
    },
  };
}

function decision(finalJudgment: Judgment | null): Decision {
  return {
    decisionId: "d",
    subject: SUBJECT,
    finalJudgment,
    categories: [],
    reason: "Because.",
    basedOn: null,
    codebookNote: null,
    decidedBy: "Cleo",
    decidedAt: "2026-11-14T11:00:00.000Z",
    sources: [],
    queueId: null,
    codebookVersion: 0,
  };
}

/** So many trials of tasks of their own, judged by Ana and Ben. */
function repeat(times: number, a: Judgment, b: Judgment, name: string): readonly ScopeTrial[] {
  return Array.from({ length: times }, (_, index) =>
    trial(`${name} ${index}`, [label("Ana", a), label("Ben", b)]),
  );
}

/** `70.0 %` and `0.70` are 0.7. */
const readNumber = (text: string) => Number.parseFloat(text) / (text.includes("%") ? 100 : 1);

const valuesOf = (content: ScopeContent) =>
  computeScopeAgreement(content, HISTORY).figures.map(({ value }) => value);

describe("agreement of a scope", () => {
  const trials = [
    ...repeat(20, "pass", "pass", "pp"),
    ...repeat(5, "pass", "fail", "pf"),
    ...repeat(10, "fail", "pass", "fp"),
    ...repeat(15, "fail", "fail", "ff"),
  ];

  test("equals the textbook's two by two table, with the share of pass", () => {
    // 20, 5, 10, 15: observed 0.7, expected 0.5 * 0.6 + 0.5 * 0.4 = 0.5, kappa 0.4. Alpha: 1 - 99 * 15 / (55 * 45). AC1: pass
    // is 0.55 of labels, so 2 * 0.55 * 0.45 = 0.495 is expected, and (0.7 - 0.495) / 0.505.
    expect(valuesOf({ queue: null, trials })).toEqual(["70.0 %", "0.40", "0.40", "0.41"]);
    const { nPairs, nTasks, passShare, caveat } = computeScopeAgreement({ queue: null, trials }, HISTORY);
    expect({ nPairs, nTasks, passShare }).toEqual({ nPairs: 50, nTasks: 50, passShare: "55.0 %" });
    expect(caveat).toMatch(/may have seen/u);
  });

  test("leaves defers and single reviews out and counts the defers", () => {
    const more = [...trials, ...repeat(2, "pass", "defer", "d"), trial("alone", [label("Ana", "fail")])];
    expect(valuesOf({ queue: null, trials: more })).toEqual(valuesOf({ queue: null, trials }));
    const { nPairs, nDefers } = computeScopeAgreement({ queue: null, trials: more }, HISTORY);
    expect({ nPairs, nDefers }).toEqual({ nPairs: 50, nDefers: 2 });
  });

  test("is drawn at its printed value, within its interval", () => {
    for (const { value, range, placed } of computeScopeAgreement({ queue: null, trials }, HISTORY).figures) {
      const written = `${value ?? ""} to ${range ?? ""}`.split(" to ").map(readNumber);
      const drawn = [placed?.at, placed?.line?.from, placed?.line?.to];
      expect(drawn.map((at) => at?.toFixed(2))).toEqual(written.map((at) => at.toFixed(2)));
      const [number = Number.NaN, low, high] = written;
      expect(low).toBeLessThan(number);
      expect(high).toBeGreaterThan(number);
    }
  });

  test("of a queue counts blind judgments only", () => {
    const blind = { hidden: [...BLIND_PARTS] };
    const seen = trial("seen", [label("Ana", "pass", blind), label("Ben", "fail", { hidden: ["agent"] })]);
    const content = {
      queue: queueThatHides(["reviewers", "verifier"]),
      trials: [
        ...Array.from({ length: 6 }, (_, index) =>
          trial(`t ${index}`, [
            label("Ana", "pass", blind),
            label("Ben", index < 4 ? "pass" : "fail", blind),
          ]),
        ),
        seen,
      ],
    };
    const { nPairs, nNotBlind, figures, caveat } = computeScopeAgreement(content, HISTORY);
    expect({ nPairs, nNotBlind, percent: figures[0]?.value, caveat }).toEqual({
      nPairs: 6,
      nNotBlind: 1,
      percent: "66.7 %",
      caveat: null,
    });
    expect(computeScopeAgreement({ ...content, queue: queueThatHides(["agent"]) }, HISTORY)).toMatchObject({
      nPairs: 7,
      caveat: expect.stringMatching(/1 of 7 trials .* may have seen/u) as string,
    });
    // Blind judgments are blind wherever they are read.
    expect(computeScopeAgreement({ ...content, queue: null }, HISTORY).caveat).toMatch(/1 of 7 trials/u);
    const all = { queue: null, trials: content.trials.filter((one) => one !== seen) };
    expect(computeScopeAgreement(all, HISTORY).caveat).toBeNull();
  });

  test("is refused with the reason from few pairs, kappa from a third reviewer, a category from few trials", () => {
    const few = computeScopeAgreement({ queue: null, trials: repeat(4, "pass", "pass", "t") }, HISTORY);
    expect(few.figures.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 4 }, () => "there are too few judgments"),
    );
    const third = trial("third", [label("Ana", "pass"), label("Ben", "pass"), label("Cem", "fail")]);
    const [percent, kappa] = computeScopeAgreement(
      { queue: null, trials: [...trials, third] },
      HISTORY,
    ).figures;
    expect(percent?.value).not.toBeNull();
    expect(kappa).toMatchObject({ value: null, reason: "it needs exactly two reviewers" });
    const given = (name: string, a: readonly string[], b: readonly string[]) =>
      trial(name, [label("Ana", "fail", { categories: a }), label("Ben", "fail", { categories: b })]);
    const { categories } = computeScopeAgreement(
      {
        queue: null,
        trials: [
          ...Array.from({ length: 6 }, (_, at) =>
            given(`a ${at}`, ["Stopped early"], at < 3 ? ["stopped  early"] : []),
          ),
          ...Array.from({ length: 6 }, (_, at) => given(`b ${at}`, [], at < 2 ? ["Rare"] : [])),
        ],
      },
      HISTORY,
    );
    // 12 trials: 3 both, 3 one alone, 6 neither.
    expect(categories.map(({ label: name, nNamed, figures }) => [name, nNamed, figures[0]?.value])).toEqual([
      [expect.stringMatching(/stopped/iu), 6, "75.0 %"],
      ["Rare", 2, null],
    ]);
    expect(categories[1]?.figures[0]?.reason).toMatch(/fewer than five/u);
  });
});

describe("conflicts", () => {
  const states = {
    agreed: ["agreed", "waiting"],
    contested: ["contested"],
    adjudicated: ["adjudicated"],
    needs_adjudication: ["conflict"],
  } as const;

  test("are where the evaluation contract expects them", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...JUDGMENTS), { minLength: 1, maxLength: 5 }),
        fc.constantFrom("none", "open", ...JUDGMENTS),
        fc.integer({ min: 1, max: 2 }),
        (judgments, decided, nReviewers) => {
          const labels = judgments.map((judgment, index) => label(`R${index}`, judgment));
          const made = decided === "none" ? null : decision(decided === "open" ? null : decided);
          const record = resolveAdjudication(
            judgments.map((judgment) => ({ judgment })),
            made && {
              final_judgment: made.finalJudgment,
              decided_by: made.decidedBy,
              contested: made.finalJudgment === null,
            },
          );
          if (!record.ok) throw new Error("the contract refuses it");
          const { state, final } = settle(labels, made, nReviewers);
          expect(states[record.value.status]).toContain(state);
          expect(final).toBe(record.value.final_judgment);
        },
      ),
      planRuns({ short: 300, long: 20_000 }),
    );
  });

  test("are listed whether or not they are decided, in the order of the scope", () => {
    const two = [label("Ana", "pass"), label("Ben", "fail")];
    const trials = [
      trial("open", two),
      trial("agreed", [label("Ana", "pass"), label("Ben", "pass")]),
      trial("decided", two, decision("fail")),
      trial("contested", two, decision(null)),
      trial("one", [label("Ana", "pass")]),
    ];
    expect(listConflicts({ queue: null, trials }).map(({ subject }) => subject.taskName)).toEqual([
      "open",
      "decided",
      "contested",
    ]);
  });

  test("of a queue reveal nothing hidden before a decision", async () => {
    const evidence = [
      { kind: "test", place: "secret-test", source: null, line: null, quote: null },
      { kind: "artifact", place: "verifier/secret.txt", source: null, line: null, quote: null },
      { kind: "step", place: "4", source: null, line: 2, quote: "seen" },
    ] as const;
    const two = [label("Ana", "pass", { evidence }), label("Ben", "fail", { evidence })];
    const hides = ["reviewers", "verifier", "agent", "suggestions"] as const;
    const reader = {
      place: 1,
      queue: queueThatHides(hides),
      history: HISTORY,
      // Nothing is stored there.
      annotations: { read: (none: unknown) => Promise.resolve(none) } as never,
      actor: { browserKeyHash: null, isAdmin: false },
      reviewerKey: "ben",
      identityOf: () => 1,
    };
    const open = await openConflict(trial("task", two), reader);
    expect(JSON.stringify(open)).not.toMatch(/secret|0\.125|failed/u);
    expect(open).toMatchObject({ isOwn: true, nHiddenAnchors: 4 });
    expect(open.anchors).toMatchObject([{ place: "4", line: 2, quote: "seen", letters: ["A", "B"] }]);
    const decided = await openConflict(trial("task", two, decision("fail")), reader);
    expect(decided.context).toMatchObject({
      agent: { name: "secret-agent" },
      verifier: { outcome: "failed", reward: "0.125" },
    });
    expect(decided.nHiddenAnchors).toBe(0);

    // Nor does the address of all conflicts show it, which names no queue: one judgment was made without seeing it.
    const blind = { evidence, hidden: hides, queue: { queueId: "q", position: 0 } };
    const found = trial("task", [label("Ana", "pass", { evidence }), label("Ben", "fail", blind)]);
    const all = await openConflict(found, { ...reader, queue: null });
    expect(JSON.stringify(all)).not.toMatch(/secret|0\.125|failed/u);
    expect(all).toMatchObject({ context: { agent: null, jobName: null, verifier: null }, nHiddenAnchors: 4 });
    const seen = await openConflict(trial("task", two), { ...reader, queue: null });
    expect(seen.context.verifier).toEqual({ outcome: "failed", reward: "0.125" });
  });
});
