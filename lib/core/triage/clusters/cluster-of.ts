import { createHash } from "node:crypto";

import type { Outcome } from "@/lib/core/domain/trial";

import type { Signal, SignalKind } from "../signals";
import { findPattern } from "./pattern";
import { chooseTellingText } from "./telling-text";

export type ClusterKind = SignalKind | "dimensions" | "outcome";

export interface ClusterTraits {
  readonly outcome: Outcome;
  readonly taskName: string;
  readonly failedDimensions: readonly string[];
}

export interface FailureCluster {
  /** 16 hexadecimal digits of kind, scope and pattern only, so that other trials do not change it. */
  readonly key: string;
  readonly kind: ClusterKind;
  readonly scope: string;
  readonly pattern: string;
  readonly slots: readonly string[];
  readonly signal: Signal | null;
}

/** Pure: the key depends on the signals and traits only. Linear in the signals. */
export function clusterOf(
  signals: readonly Signal[],
  { outcome, taskName, failedDimensions }: ClusterTraits,
): FailureCluster {
  const telling = chooseTellingText(signals);
  if (telling === null) {
    const isOfDimensions = failedDimensions.length > 0;
    return nameCluster({
      kind: isOfDimensions ? "dimensions" : "outcome",
      scope: taskName,
      pattern: isOfDimensions ? failedDimensions.toSorted().join(", ").slice(0, 300) : outcome,
      slots: [],
      signal: null,
    });
  }
  const { kind, text, signal, isOfTask } = telling;
  const { text: pattern, slots } = findPattern(text, taskName);
  const type = kind === "exception" ? (/^[\w.]*/u.exec(text)?.[0].split(".").at(-1) ?? "") : "";
  return nameCluster({ kind, scope: isOfTask ? taskName : type, pattern, slots, signal });
}

function nameCluster(cluster: Omit<FailureCluster, "key">): FailureCluster {
  const { kind, scope, pattern } = cluster;
  const hash = createHash("sha256")
    .update(JSON.stringify([kind, scope, pattern]))
    .digest("hex");
  return { key: hash.slice(0, 16), ...cluster };
}
