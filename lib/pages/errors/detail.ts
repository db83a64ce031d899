import "server-only";
import type { ErrorsFilter } from "@/lib/pages/errors/address";
import { type IndexStore, readExceptionMessages, readExceptionTrials } from "@/lib/store/tables";

import type { ErrorsScope } from "./scope";

export type ErrorDetail = Awaited<ReturnType<typeof getErrorDetail>>;

const MOST_TRIALS = 12;

export async function getErrorDetail(
  store: IndexStore,
  { jobRowIds, groupKeys, agentModels, agentModelOf }: ErrorsScope,
  { text }: Pick<ErrorsFilter, "text">,
  type: string,
) {
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
