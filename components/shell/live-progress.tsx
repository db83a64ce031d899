"use client";

import type { IndexStatus } from "@/lib/indexer";

import { IndexProgress } from "./index-progress";
import { useLiveState } from "./live-state";

/** How far reading the folders has come, kept up to date in place. */
export function LiveProgress({ initial }: { initial: IndexStatus }) {
  return <IndexProgress status={useLiveState(null)?.status ?? initial} />;
}
