import { expect, it } from "vitest";

import { checkCopies } from "./checks";
import type { ComparedTrial } from "./trials";

interface Attempt {
  readonly reward?: number;
  readonly durationMs?: number | null;
  readonly nTokens?: number | null;
  readonly rollout?: string | null;
}

/** A run with one attempt at each of ten tasks, each with its own duration and tokens. */
function run(name: string, change: (at: number) => Attempt = () => ({}), nTasks = 10) {
  const trials = Array.from({ length: nTasks }, (_, at) => {
    const { reward = at % 2, ...over } = change(at);
    const own = { durationMs: 50_001 + at, nTokens: 1_100 + at, rollout: `${name} ${String(at)}` };
    return { taskName: `task-${String(at)}`, rewards: new Map([["reward", reward]]), ...own, ...over };
  });
  return { name, trials: trials as unknown as ComparedTrial[] }; // Only these are looked at.
}

const isWarned = (...sides: Parameters<typeof checkCopies>[0]) => checkCopies(sides).length > 0;

it("warns of runs that agree on reward, duration and tokens of almost all tasks, with the figures", () => {
  const slower = run("b", (at) => (at === 0 ? { durationMs: 1 } : {}));
  const [check] = checkCopies([run("a"), slower, run("c", () => ({ nTokens: 7 }))]);
  expect(check?.detail).toContain("a and b on 9 of 10 tasks");
  expect(check?.detail).not.toContain("c");
});

it("takes no other agreement for copies", () => {
  expect(
    isWarned(
      run("a"),
      run("b", () => ({ durationMs: 1 })),
    ),
  ).toBe(false);
  expect(
    isWarned(
      run("a"),
      run("b", () => ({ nTokens: 1 })),
    ),
  ).toBe(false);
  expect(
    isWarned(
      run("a"),
      run("b", (at) => (at < 2 ? { reward: 0.5 } : {})),
    ),
  ).toBe(false);
  // All fail alike, and nothing else is recorded.
  const silent = () => ({ reward: 0, durationMs: null, nTokens: null });
  expect(isWarned(run("a", silent), run("b", silent))).toBe(false);
  const few = 4;
  expect(isWarned(run("a", undefined, few), run("b", undefined, few))).toBe(false);
});

it("asks of tasks with several attempts that every attempt of the side with fewer has its equal", () => {
  const pool = (name: string, ...starts: readonly number[]) => ({
    name,
    trials: starts.flatMap((start, nth) => {
      const rollout = (at: number) => `${name} ${String(nth)} ${String(at)}`;
      return run(name, (at) => ({ durationMs: start + at, rollout: rollout(at) })).trials;
    }),
  });
  expect(isWarned(pool("a", 0, 100, 200), pool("b", 0, 300, 400))).toBe(false);
  expect(isWarned(pool("a", 0, 0, 200), pool("b", 0, 300))).toBe(false);
  expect(isWarned(pool("a", 0, 100, 200), pool("b", 200, 0))).toBe(true);
});

it("leaves regrades to the check of shared rollouts", () => {
  const same = (at: number) => ({ rollout: `rollout ${String(at)}` });
  expect(isWarned(run("a", same), run("b", same))).toBe(false);
});
