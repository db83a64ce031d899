import type { BreakdownType } from "../exceptions";
import type { Random } from "../random";
import type { Outcome } from "../story-trial";

/** How many attempts of each task pass, for each agent of the baseline and for the improved agent. */
export const PASSES: Readonly<
  Record<string, readonly [orca: number, lamp: number, tern: number, next: number]>
> = {
  "port-makefile-meson": [5, 5, 5, 5],
  "regex-to-dfa": [5, 5, 5, 5],
  "tls-chain-rotate": [5, 5, 5, 5],
  "debug-race-queue": [5, 5, 4, 5],
  "dedupe-git-history": [5, 4, 5, 5],
  "udp-reorder-sim": [5, 5, 4, 5],
  "nginx-range-proxy": [5, 5, 3, 5],
  "tokenizer-parity": [5, 5, 2, 5],
  "csv-dialect-recover": [5, 3, 3, 5],
  "fix-locale-sort": [5, 4, 1, 4],
  "qemu-serial-boot": [5, 4, 1, 5],
  "jit-guard-bisect": [4, 3, 2, 5],
  "ldap-schema-merge": [5, 3, 1, 5],
  "sqlite-wal-restore": [5, 2, 1, 5],
  "strace-leak-hunt": [3, 4, 1, 5],
  "parquet-null-repair": [4, 3, 0, 5],
  "build-cython-ext": [4, 2, 0, 5],
  "postgres-vacuum-stall": [2, 3, 1, 4],
  "hmac-log-audit": [2, 3, 0, 4],
  "mailbox-reindex": [2, 0, 1, 3],
  "wasm-memory-cap": [2, 1, 0, 3],
  "cron-drift-repair": [1, 0, 0, 3],
  "tar-sparse-extract": [0, 0, 0, 2],
  "zstd-dict-train": [0, 0, 0, 1],
};

/** Breakdowns to place: each takes a failing attempt, or a passing one when it carries reward 1. */
export interface BreakdownPlan {
  readonly type: BreakdownType;
  readonly reward: number | null;
}

/** Several breakdowns of one kind. */
export function repeat(count: number, type: BreakdownType, reward: number | null): BreakdownPlan[] {
  return Array.from({ length: count }, () => ({ type, reward }));
}

/**
 * Outcomes by task and attempt with exactly `passes` successes in each task and every breakdown placed once.
 *
 * @param passes - attempts that pass, by task
 * @returns for each task one outcome per attempt
 */
export function planOutcomes(
  tasks: readonly string[],
  passes: (task: string) => number,
  attempts: number,
  breakdowns: readonly BreakdownPlan[],
  rng: Random,
): Map<string, Outcome[]> {
  const plan = new Map<string, Outcome[]>(
    tasks.map((task) => {
      const won = new Set(
        rng.sample(
          Array.from({ length: attempts }, (_, index) => index),
          passes(task),
        ),
      );
      return [
        task,
        Array.from({ length: attempts }, (_, index): Outcome => ({ kind: won.has(index) ? "pass" : "fail" })),
      ];
    }),
  );
  const places = rng.shuffle(
    [...plan].flatMap(([task, outcomes]) => outcomes.map((outcome, index) => ({ task, index, outcome }))),
  );
  for (const breakdown of breakdowns) {
    const wanted = breakdown.reward === 1 ? "pass" : "fail";
    const at = places.findIndex(({ outcome }) => outcome.kind === wanted);
    const [place] = at < 0 ? [] : places.splice(at, 1);
    if (place !== undefined) (plan.get(place.task) ?? [])[place.index] = { kind: "breakdown", ...breakdown };
  }
  return plan;
}
