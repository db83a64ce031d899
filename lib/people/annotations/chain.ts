import {
  type Annotation,
  type AnnotationSubject,
  isSameTrial,
  type TrialIdentity,
} from "@/lib/core/domain/annotation";
import { compareText } from "@/lib/core/domain/compare-text";

import type { AnnotationEvent } from "./record";

export interface ReviewerChain {
  readonly reviewerKey: string;
  readonly reviewerId: string;
  /** The reviewer's last event, including withdrawals. A save names it as its base. */
  readonly headVersionId: string;
  readonly current: Annotation | null;
  readonly versions: readonly Annotation[];
}

export interface TrialAnnotations {
  readonly subject: AnnotationSubject;
  readonly chains: readonly ReviewerChain[];
}

/** Builds one chain per reviewer, most recent first. Withdrawing a correction restores the earlier version. */
export function computeChains(events: readonly AnnotationEvent[]): ReviewerChain[] {
  const byReviewer = new Map<string, AnnotationEvent[]>();
  for (const event of events) {
    const chain = byReviewer.get(event.reviewerKey) ?? [];
    // Delete first, so that the map is ordered by last event.
    byReviewer.delete(event.reviewerKey);
    chain.push(event);
    byReviewer.set(event.reviewerKey, chain);
  }
  return [...byReviewer.values()].map(computeChain).toReversed();
}

/** Orders chains by first judgment, so that later events never reorder them. */
export function orderByFirst(chains: readonly ReviewerChain[]): readonly ReviewerChain[] {
  const begin = ({ versions }: ReviewerChain) => versions.at(-1)?.timestamp ?? "";
  return chains.toSorted(
    (a, b) => compareText(begin(a), begin(b)) || compareText(a.reviewerKey, b.reviewerKey),
  );
}

export function groupByTrial(events: readonly AnnotationEvent[]): TrialAnnotations[] {
  return groupEvents(events).flatMap((trial) => {
    const last = trial.at(-1);
    return last === undefined ? [] : [{ subject: last.subject, chains: computeChains(trial) }];
  });
}

export function groupEvents<Event extends { readonly subject: TrialIdentity }>(
  events: readonly Event[],
): readonly (readonly Event[])[] {
  const byName = new Map<string, Event[][]>();
  const newestFirst = new Set<Event[]>();
  for (const event of events) {
    const sameName = byName.get(event.subject.trialName) ?? [];
    let trial = sameName.find((group) => group.some((other) => isSameTrial(other.subject, event.subject)));
    if (trial === undefined) {
      trial = [];
      sameName.push(trial);
      byName.set(event.subject.trialName, sameName);
    }
    trial.push(event);
    newestFirst.delete(trial);
    newestFirst.add(trial);
  }
  return [...newestFirst].toReversed();
}

function computeChain(events: readonly AnnotationEvent[]): ReviewerChain {
  const withdrawals = new Map(
    events.flatMap((event) => (event.withdraws === null ? [] : [[event.withdraws, event]])),
  );
  const currentId = events.findLast(
    (event) => event.judgment !== null && !withdrawals.has(event.versionId),
  )?.versionId;
  const versions = events.flatMap((event, index): Annotation[] => {
    const { withdraws: _, reviewerKey: __, browserKeyHash: ___, judgment, ...saved } = event;
    if (judgment === null) return [];
    const withdrawal = withdrawals.get(event.versionId);
    const kept = event.versionId === currentId ? "current" : "superseded";
    return [
      {
        ...saved,
        judgment,
        version: index + 1,
        status: withdrawal === undefined ? kept : "withdrawn",
        withdrawnAt: withdrawal?.timestamp ?? null,
        withdrawnBy: withdrawal?.savedBy ?? null,
      },
    ];
  });
  const head = events.at(-1);
  return {
    reviewerKey: head?.reviewerKey ?? "",
    reviewerId: head?.reviewerId ?? "",
    headVersionId: head?.versionId ?? "",
    current: versions.find((version) => version.status === "current") ?? null,
    versions: versions.toReversed(),
  };
}
