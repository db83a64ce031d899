import "server-only";

import {
  type AnnotationStore,
  getAnnotationStore,
  type QueueDraw,
  readAnnotationsVersion,
} from "@/lib/annotations";
import { isByChance } from "@/lib/labels/draws";
import { findPart } from "@/lib/labels/part";
import { describeDrawOutlook } from "@/lib/labels/words";
import { type IndexStore, readIndexState } from "@/lib/store";

import type { DrawnQueue } from "./queue-draw";
import type { QueueSource } from "./queue-source";
import { findInIndex } from "./verifier/draws";

/**
 * Returns why labels of this draw would correct no score. Null if they would, or if its trials are not from a list. @throws
 * StoreError
 */
export async function explainNoCorrection(
  store: IndexStore,
  { href }: Pick<QueueSource, "href">,
  { method }: Pick<QueueDraw, "method">,
  { strata }: Pick<DrawnQueue, "strata">,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<string | null> {
  if (!isByChance({ settings: { method, strata } })) return describeDrawOutlook("by-hand");
  if (href === null) return null;
  const { generation } = await readIndexState(store);
  const version = String(await readAnnotationsVersion(annotations));
  const { readList, readWholeList } = findInIndex({ store, generation, version });
  const [population, whole] = await Promise.all([readList(href), readWholeList(href)]);
  const part = population === null || whole === null ? null : findPart(population, whole);
  return part === null ? null : describeDrawOutlook(part.kind);
}
