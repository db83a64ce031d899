import "server-only";
import { isSameTrial } from "@/lib/core/domain/annotation";
import { unlessUnreadable } from "@/lib/core/domain/app-error";
import { type AnnotationStore, getAnnotationStore, readImportedTags } from "@/lib/people/annotations";
import {
  type IndexStore,
  type MachineTag,
  readIndexState,
  readTrialPlaces,
  type TrialKeys,
} from "@/lib/store/tables";

import { createGenerationCache } from "../shell/cache";

const keep = createGenerationCache(2);

/**
 * Returns the imported tags of trials in open folders as machine tags: `id` is the tool, `version` the category, each pair once
 * per trial. @throws StoreError
 */
export async function getPlacedTags(
  store: IndexStore,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<readonly MachineTag[]> {
  const [{ generation }, { standing, version }] = await Promise.all([
    readIndexState(store),
    readImportedTags(annotations),
  ]);
  if (standing.length === 0) return [];
  return keep({ store, generation }, `${annotations.place} ${String(version)}`, async () => {
    const byName = Map.groupBy(standing, ({ trial }) => trial.trialName);
    const places = await readTrialPlaces(store, byName.keys());
    return places.flatMap(({ id: trialId, ...place }) => {
      const identity = { ...place, trialId };
      const own = (byName.get(place.trialName) ?? []).filter(({ trial }) => isSameTrial(trial, identity));
      return [...Map.groupBy(own, ({ source, category }) => `${source}\n${category}`).values()].flatMap(
        ([tag]): readonly MachineTag[] => {
          if (tag === undefined) return [];
          const { jobRowId, position, key, groupKey, state } = place;
          const { source, category } = tag;
          const isFinished = state === "finished";
          return [
            { jobRowId, position, key, groupKey, isFinished, kind: "import", id: source, version: category },
          ];
        },
      );
    });
  });
}

/** Returns an empty map if tags cannot be read; the page frame reports that. */
export async function readImportedTagKeys(
  store: IndexStore,
  categories: readonly string[],
): Promise<TrialKeys> {
  const tags = await unlessUnreadable(() => getPlacedTags(store), []);
  const given = tags.filter(({ version }) => categories.includes(version));
  const byJob = Map.groupBy(given, ({ jobRowId }) => jobRowId);
  return new Map(Array.from(byJob, ([id, own]) => [id, new Set(own.map(({ key }) => key))]));
}
