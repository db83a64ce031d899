import { CLASSES, type FailureClass } from "./classes";

export interface EndedTrial {
  readonly agentModel: string;
  readonly endedMs: number;
  readonly failure: { readonly failureClass: FailureClass; readonly text: string | null } | null;
}

/** A recurring failure in an agent's latest trials, across tasks. */
export interface Trouble {
  readonly agentModel: string;
  readonly failureClass: FailureClass;
  readonly nTrials: number;
  readonly nRecent: number;
  /** End of the first of the `nTrials`, ms since 1970-01-01. The agent has no other trial of the class since then. */
  readonly sinceMs: number;
  readonly text: string | null;
}

interface TroubleRule {
  readonly nRecent: number;
  readonly share: number;
}

export const TROUBLE_RULE: TroubleRule = { nRecent: 10, share: 0.5 };

const LEAST_TRIALS = 3;

/**
 * Finds why most of each agent's latest trials failed, apart from wrong answers: a service that refuses, an environment that does
 * not start, a limit that is too low, a verifier that dies. By agent, most trials first.
 * @param trials - in any order; simultaneous ones in the given order
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
        if (
          CLASSES[failureClass].isUsual === true ||
          nTrials < LEAST_TRIALS ||
          nTrials < share * recent.length
        )
          return [];
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
