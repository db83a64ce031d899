import "server-only";

import type { ErrorsFilter } from "@/lib/addresses/errors";
import {
  type ExceptionTrial,
  type IndexStore,
  readExceptionMessages,
  readExceptionTrials,
} from "@/lib/store";

import type { AgentModel, ErrorsScope } from "./scope";

/** A trial with an exception, as the unfolded row lists it. */
export interface ErrorTrial extends ExceptionTrial {
  readonly agentModel: AgentModel | null;
}

/** What the unfolded row of an exception type says beyond its counts. */
export interface ErrorDetail {
  /** The commonest message that says anything, and how many different ones there are. */
  readonly message: string | null;
  readonly nMessages: number;
  /** The first of its trials. */
  readonly trials: readonly ErrorTrial[];
}

/** Trials listed in an unfolded row. */
const MOST_TRIALS = 12;

/** Message and first trials of one exception type. */
export async function getErrorDetail(
  store: IndexStore,
  { jobRowIds, groupKeys, agentModels, agentModelOf }: ErrorsScope,
  { text }: Pick<ErrorsFilter, "text">,
  type: string,
): Promise<ErrorDetail> {
  const selection = { type, jobRowIds, groupKeys, text };
  const [messages, trials] = await Promise.all([
    readExceptionMessages(store, selection),
    readExceptionTrials(store, selection, MOST_TRIALS),
  ]);
  return {
    ...messages,
    trials: trials.map((trial) => ({
      ...trial,
      agentModel: agentModels.find(({ name }) => name === agentModelOf(trial)) ?? null,
    })),
  };
}
