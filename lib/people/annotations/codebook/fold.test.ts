import fc from "fast-check";
import { expect, it } from "vitest";

import { AppError } from "@/lib/core/domain/app-error";
import { CATEGORY_CONTEXTS, type CategoryContext } from "@/lib/core/domain/review";
import { planRuns } from "@/lib/testing/plan-runs";

import {
  type CodebookChange,
  type CodebookHistory,
  FIRST_CODEBOOK,
  foldCodebook,
  mapForward,
  resolveLabel,
  refuseBrokenChange,
} from "./fold";

const LABELS = ["Loops", "loops", "Gives up", "Wrong output", "Invents a file", "Environment"];

/** An attempted change, by places among the existing categories. */
const attempt = fc.record({
  kind: fc.constantFrom("add", "edit", "merge", "split", "retire", "restore", "judge" as const),
  a: fc.nat(40),
  b: fc.nat(40),
  label: fc.constantFrom(...LABELS),
  contexts: fc.uniqueArray(fc.constantFrom(...CATEGORY_CONTEXTS), { minLength: 1 }),
});
type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

function describeNew(id: string, label: string, contexts: readonly CategoryContext[]) {
  const texts = { definition: "", example: "", counterExample: "", colour: null, parentId: null };
  return { id, label, contexts: [...contexts], ...texts };
}

function withoutId({ id: _, ...text }: ReturnType<typeof describeNew>) {
  return text;
}

function toChange(at: number, { kind, a, b, label, contexts }: Attempt, history: CodebookHistory) {
  const ids = [...history.byId.keys()];
  const id = ids[a % ids.length] ?? "";
  const other = ids[b % ids.length] ?? "";
  const text = withoutId(describeNew("", label, contexts));
  const changes: Record<Attempt["kind"], CodebookChange | null> = {
    add: { kind: "add", categories: [describeNew(`new ${String(at)}`, label, contexts)] },
    edit: { kind: "edit", id, text },
    merge: { kind: "merge", ids: [id], into: other },
    split: {
      kind: "split",
      id,
      into: ["one", "two"].map((part) => describeNew(`${part} ${String(at)}`, `${label} ${part}`, contexts)),
    },
    retire: { kind: "retire", id },
    restore: { kind: "restore", id },
    judge: null,
  };
  return changes[kind];
}

/** A codebook kept the slow way: names of what can be chosen, and where each category went. */
class Naive {
  readonly names = new Map(FIRST_CODEBOOK.codebook.categories.map(({ id, label }) => [id, label]));
  readonly live = new Set(this.names.keys());
  readonly into = new Map<string, string>();

  apply(change: CodebookChange): void {
    if (change.kind === "add") for (const { id, label } of change.categories) this.open(id, label);
    if (change.kind === "edit") this.names.set(change.id, change.text.label);
    if (change.kind === "merge") for (const id of change.ids) this.into.set(id, change.into);
    if (change.kind === "split") for (const { id, label } of change.into) this.open(id, label);
    if (change.kind === "restore") this.into.delete(change.id);
    if (change.kind === "restore") this.live.add(change.id);
    if (change.kind === "merge") for (const id of change.ids) this.live.delete(id);
    if (change.kind === "split" || change.kind === "retire") this.live.delete(change.id);
  }

  open(id: string, label: string): void {
    this.names.set(id, label);
    this.live.add(id);
  }

  find(label: string): string | undefined {
    return [...this.live].find((id) => this.names.get(id)?.toLowerCase() === label.toLowerCase());
  }

  follow(id: string): string {
    const next = this.into.get(id);
    return next === undefined ? id : this.follow(next);
  }
}

/** Applies what is allowed of some attempts. `each` sees the codebook before and after every change. */
function play(
  attempts: readonly Attempt[],
  each: (after: CodebookHistory, before: CodebookHistory, change: CodebookChange | null) => void,
): CodebookHistory {
  let history = FIRST_CODEBOOK;
  attempts.forEach((one, at) => {
    const change = toChange(at, one, history);
    const before = history;
    try {
      if (change !== null) {
        refuseBrokenChange(history, change);
        const version = history.codebook.version + 1;
        history = foldCodebook([{ version, author: "Ada", createdAt: "2026-01-01", change }], history);
      }
    } catch (error) {
      if (error instanceof AppError) return;
      throw error;
    }
    each(history, before, change);
  });
  return history;
}

const plan = planRuns({ short: 200, long: 20_000 });

it("finds for every judgment what its category became, through renames, merges of merges, splits and restores", () => {
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 60 }), (attempts) => {
      const naive = new Naive();
      const judgments: { label: string; version: number; id: string }[] = [];
      const last = play(attempts, ({ codebook: { version } }, _before, change) => {
        if (change !== null) naive.apply(change);
        for (const label of LABELS) {
          const id = naive.find(label);
          if (id !== undefined) judgments.push({ label, version, id });
        }
      });
      for (const { label, version, id } of judgments) {
        const today = resolveLabel(last, label, version);
        expect(today?.id).toBe(naive.follow(id));
        expect(today?.label).toBe(naive.names.get(naive.follow(id)));
      }
      // The same whether changes are folded one after the other or at once.
      expect(foldCodebook(last.changes)).toEqual(last);
    }),
    plan,
  );
});

it("never moves the digit of a category that can be chosen, and never gives one to two of the same verdict", () => {
  const verdictsOf = (contexts: readonly string[]) =>
    new Set(contexts.map((one) => one.replace("-against", "")));
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 60 }), (attempts) => {
      play(attempts, ({ codebook, byId }, before) => {
        for (const category of before.codebook.categories) {
          const after = byId.get(category.id);
          if (category.state !== "live" || after?.state !== "live" || category.key === null) continue;
          if (after.contexts.join() === category.contexts.join()) expect(after.key).toBe(category.key);
        }
        const taken = codebook.categories.flatMap(({ state, key, contexts }) =>
          state === "live" && key !== null
            ? [...verdictsOf(contexts)].map((verdict) => `${verdict} ${String(key)}`)
            : [],
        );
        expect(taken).toHaveLength(new Set(taken).size);
      });
    }),
    plan,
  );
});

it("says that a split category is to be chosen again, keeps labels that no codebook had, and names each category once", () => {
  const history = foldCodebook(
    [
      { kind: "edit" as const, id: "lucky", text: withoutId(describeNew("", "By chance", ["pass"])) },
      { kind: "merge" as const, ids: ["wrong-output"], into: "misread-task" },
      {
        kind: "split" as const,
        id: "environment",
        into: [describeNew("net", "Network", ["fail"]), describeNew("disk", "Disk", ["fail"])],
      },
    ].map((change, at) => ({ version: at + 1, author: "Ada", createdAt: "2026-01-01", change })),
  );
  const categories = ["lucky", "Wrong output", "Misread task", "Environment", "<b>odd</b>"];
  expect(mapForward(history, { categories, codebookVersion: 0 })).toEqual([
    { id: "lucky", label: "By chance", state: "live" },
    { id: "misread-task", label: "Misread task", state: "live" },
    { id: "environment", label: "Environment", state: "split" },
    { id: null, label: "<b>odd</b>", state: "unlisted" },
  ]);
});
