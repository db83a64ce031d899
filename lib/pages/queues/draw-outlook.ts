import "server-only";
import {
  type AnnotationStore,
  getAnnotationStore,
  type QueueDraw,
  readAnnotationsVersion,
} from "@/lib/people/annotations";
import { isByChance } from "@/lib/people/labels/draws";
import { findPart } from "@/lib/people/labels/part";
import { describeDrawOutlook } from "@/lib/people/labels/words";
import { type IndexStore, readIndexState } from "@/lib/store/tables";

import { findInIndex } from "../verifier/draws";
import type { DrawnQueue } from "./draw";
import type { QueueSource } from "./source";

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
