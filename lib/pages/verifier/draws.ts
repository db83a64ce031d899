import "server-only";
import {
  type AnnotationStore,
  getAnnotationStore,
  listQueues,
  readAnnotationsVersion,
} from "@/lib/people/annotations";
import { type Draws, readDraws, type TrialLookup } from "@/lib/people/labels/draws";
import { type IndexStore, readIndexState, readTrialPlaces } from "@/lib/store/tables";

import { createGenerationCache } from "../shell/cache";
import { readListPopulation, readWholeList } from "./population";

const keep = createGenerationCache(2);

export async function getDraws(
  store: IndexStore,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<Draws> {
  const [{ generation }, version, { queues }] = await Promise.all([
    readIndexState(store),
    readAnnotationsVersion(annotations),
    listQueues(annotations),
  ]);
  const state = [version, queues.length].join(" ");
  return keep({ store, generation }, `${annotations.place} ${state}`, () =>
    readDraws(annotations, findInIndex({ store, generation, version: state })),
  );
}

export function findInIndex(at: Parameters<typeof readListPopulation>[0]): TrialLookup {
  return {
    readPlaces: async (names) => (names.size === 0 ? [] : readTrialPlaces(at.store, names)),
    readList: (href) => readListPopulation(at, href),
    readWholeList: (href) => readWholeList(at, href),
  };
}
