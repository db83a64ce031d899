import type { FailureClass } from "./classes";

export interface EndedTrial {
  readonly agentModel: string;
  /** When it ended, ms since 1970-01-01. */
  readonly endedMs: number;
  /** Null for one that passed. */
  readonly failure: { readonly failureClass: FailureClass; readonly text: string | null } | null;
}

/** What goes wrong with an agent's latest trials, whatever the tasks are. */
export interface Trouble {
  readonly agentModel: string;
  readonly failureClass: FailureClass;
  /** Trials of the class among the latest `nRecent` of the agent. */
  readonly nTrials: number;
  readonly nRecent: number;
  /** When the first of these ended, ms since 1970-01-01: of the class the agent has no other since then. */
  readonly sinceMs: number;
  /** What most of them show; null where nothing does. */
  readonly text: string | null;
}

/** When failures of one class are a trouble. */
export interface TroubleRule {
  /** Trials that are looked at of each agent, the latest ones. */
  readonly nRecent: number;
  /** Share of them that have failed alike, more than 0, at most 1. */
  readonly share: number;
}

export const TROUBLE_RULE: TroubleRule = { nRecent: 10, share: 0.5 };

/** Fewer trials tell nothing. */
const LEAST_TRIALS = 3;

/** Classes that a hard benchmark is full of, and those that nobody can call a trouble of the run. */
const USUAL: ReadonlySet<FailureClass> = new Set([
  "wrong_answer",
  "partial_credit",
  "stopped_early",
  "no_evidence",
  "unexplained",
]);

/**
 * Finds what most of each agent's latest trials failed by, as far as it is no plain wrong answer: a service that refuses, an
 * environment that does not start, a limit that is too low, a verifier that dies. By agent, most trials first.
 *
 * @param trials - in any order; those at the same time in the order in which they are given
 */
export function findTroubles(
  trials: readonly EndedTrial[],
  { nRecent, share }: TroubleRule = TROUBLE_RULE,
): readonly Trouble[] {
  const byAgent = Map.groupBy(trials, ({ agentModel }) => agentModel);
  const troubles = [...byAgent].flatMap(([agentModel, own]) => {
    const recent = own.toSorted((a, b) => b.endedMs - a.endedMs).slice(0, nRecent);
    const failures = recent.flatMap(({ failure, endedMs }) =>
      failure === null ? [] : { ...failure, endedMs },
    );
    return [...Map.groupBy(failures, ({ failureClass }) => failureClass)].flatMap(
      ([failureClass, alike]): Trouble[] => {
        const nTrials = alike.length;
        if (USUAL.has(failureClass) || nTrials < LEAST_TRIALS || nTrials < share * recent.length) return [];
        const sinceMs = Math.min(...alike.map(({ endedMs }) => endedMs));
        const text = findCommonest(alike);
        return [{ agentModel, failureClass, nTrials, nRecent: recent.length, sinceMs, text }];
      },
    );
  });
  return troubles.toSorted((a, b) => b.nTrials - a.nTrials);
}

function findCommonest(failures: readonly { readonly text: string | null }[]): string | null {
  const texts = Map.groupBy(
    failures.flatMap(({ text }) => text ?? []),
    (text) => text,
  );
  const [first] = [...texts.values()].toSorted((a, b) => b.length - a.length);
  return first?.[0] ?? null;
}
