import type { Route } from "next";
import { parseAsStringLiteral } from "nuqs/server";

import { ATTEMPT_HEIGHTS, ATTEMPT_SPENT } from "@/lib/core/charts/attempt-chart";
import { nameDataset } from "@/lib/core/domain/dataset";
import { encodeSegment } from "@/lib/core/domain/segment";

import { type AddressValues, createAddress } from "../address/address";
import { name } from "../address/values";

export const NO_DATASET = "~";

export const taskAddress = createAddress({
  /** Dataset id (`nameDataset`), or {@link NO_DATASET}; null for the one with the newest job. */
  dataset: name,
  version: name,
  spent: parseAsStringLiteral(ATTEMPT_SPENT),
  height: parseAsStringLiteral(ATTEMPT_HEIGHTS),
});

export type TaskParams = AddressValues<typeof taskAddress>;

export function taskHref(taskName: string, params: Partial<TaskParams> = {}): Route {
  return taskAddress.href(`/tasks/${encodeSegment(taskName)}`, params);
}

export function trialTaskHref({
  taskName,
  source,
}: {
  readonly taskName: string;
  readonly source: string | null;
}): Route {
  return taskHref(taskName, {
    dataset: source === null ? NO_DATASET : nameDataset({ source, tasks: [] }).id,
  });
}
