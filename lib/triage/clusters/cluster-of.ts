import { createHash } from "node:crypto";

import type { Outcome } from "@/lib/domain/trial";

import type { Signal, SignalKind } from "../signals";
import { findPattern } from "./pattern";
import { chooseTellingText } from "./telling-text";

/** What a cluster is told by: a kind of signal, or without any the failed dimensions, or the outcome alone. */
export type ClusterKind = SignalKind | "dimensions" | "outcome";

/** What is known of a trial that did not pass apart from its signals. */
export interface ClusterTraits {
  readonly outcome: Outcome;
  readonly taskName: string;
  /** Names of dimensions below their full share, in any order. */
  readonly failedDimensions: readonly string[];
}

/** The cluster that a trial belongs to. */
export interface FailureCluster {
  /** 16 hexadecimal digits of kind, scope and pattern. Of nothing else, so that it is the same whatever other trials there are. */
  readonly key: string;
  readonly kind: ClusterKind;
  /** What clusters must share to be near-duplicates: an exception's type, else the name of the task; empty where it means the same in all. */
  readonly scope: string;
  /** See `Pattern.text`. */
  readonly pattern: string;
  /** See `Pattern.slots`. */
  readonly slots: readonly string[];
  /** What says it; null for dimensions and the outcome. */
  readonly signal: Signal | null;
}

/**
 * Returns the cluster of a trial that did not pass, from its most telling signal. Pure: the same signals and traits give the same key
 * in every run, beside any other trials. Takes time linear in the signals.
 */
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
