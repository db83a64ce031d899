import "server-only";
import type { Judgment } from "@/lib/core/domain/judgment";
import type { BlindPart, ItemState } from "@/lib/core/domain/review";
import type { Outcome } from "@/lib/core/domain/trial";
import type { QueueStanding } from "@/lib/pages/queues/address";
import type { Lease, Queue, QueueItem } from "@/lib/people/annotations";
import type { ScopeTrial } from "@/lib/people/labels/scope-trials";

/** Must not contain what the queue hides from the reviewer. */
export interface QueueRow {
  readonly position: number;
  readonly taskName: string;
  readonly standing: QueueStanding;
  readonly state: ItemState;
  readonly trial: { readonly jobRowId: number; readonly key: string; readonly attempt: number } | null;
  readonly agent: { readonly agent: string; readonly model: string | null } | null;
  readonly verifier: { readonly outcome: Outcome; readonly reward: string | null } | "hidden";
  readonly mine: Judgment | null;
  readonly others: readonly { readonly reviewerId: string; readonly judgment: Judgment | null }[];
  readonly decided: Judgment | "left open" | null;
  readonly categories: readonly string[];
  /** Last visible judgment; UTC, ISO 8601. */
  readonly lastChange: { readonly reviewerId: string; readonly timestamp: string } | null;
  readonly holder: Pick<Lease, "reviewerId" | "expiresAt" | "grantedAt"> | null;
}

interface Asker {
  readonly reviewerKey: string;
  readonly isReviewer: boolean;
  /** Versions saved by their browser. Null if browsers cannot be told apart, so that the name alone decides. */
  readonly ownIds: ReadonlySet<string> | null;
}

/**
 * True if the queue hides nothing any more: it is closed, or every trial has all its judgments, so that no reviewer can be swayed.
 */
export function isQueueOver({ isClosed }: Pick<Queue, "isClosed">, trials: readonly ScopeTrial[]): boolean {
  return isClosed || trials.every(({ labels, nReviewers }) => labels.length >= nReviewers);
}

/** A name is typed and proves nothing, so the judgment must have been saved in the reviewer's browser. */
function isOwnLabel(item: QueueItem | undefined, { reviewerKey, ownIds }: Asker): boolean {
  if (ownIds === null) return true;
  const label = item?.labels.find((one) => one.reviewerKey === reviewerKey);
  return label !== undefined && [label.blind, label.latest].some(({ versionId }) => ownIds.has(versionId));
}

export function listQueueRows(
  queue: Queue,
  trials: readonly ScopeTrial[],
  asker: Asker,
): readonly QueueRow[] {
  const { reviewerKey } = asker;
  const leases = Map.groupBy(queue.leases, ({ position }) => position);
  const skipped = new Set(
    queue.skips.filter((skip) => skip.reviewerKey === reviewerKey).map(({ position }) => position),
  );
  const isOver = isQueueOver(queue, trials);
  const itemAt = new Map(queue.items.map((item) => [item.position, item]));
  return trials.map((trial, at) => {
    const position = trial.position ?? at;
    const mine = trial.labels.find((label) => label.reviewerKey === reviewerKey) ?? null;
    const isOwn = mine !== null && isOwnLabel(itemAt.get(position), asker);
    const hides = isOver || isOwn ? [] : queue.settings.hides;
    const holders = (leases.get(position) ?? []).filter(
      (lease) =>
        lease.reviewerKey !== reviewerKey &&
        !trial.labels.some((label) => label.reviewerKey === lease.reviewerKey),
    );
    return {
      position,
      taskName: trial.subject.taskName,
      standing: findStanding(trial, { isMine: mine !== null, isSkipped: skipped.has(position), ...asker }),
      state: trial.state,
      trial: trial.place && {
        jobRowId: trial.place.jobRowId,
        key: trial.place.key,
        attempt: trial.place.attempt,
      },
      holder: holders[0] ?? null,
      mine: hides.includes("reviewers") ? null : (mine?.annotation.judgment ?? null),
      ...reveal(trial, reviewerKey, hides),
    };
  });
}

function reveal(
  { subject, place, labels, state, final }: ScopeTrial,
  reviewerKey: string,
  hides: readonly BlindPart[],
) {
  const isBlind = hides.includes("reviewers");
  const visible = isBlind ? [] : labels;
  const last = visible.toSorted((a, b) => (a.annotation.timestamp < b.annotation.timestamp ? 1 : -1))[0];
  return {
    agent: hides.includes("agent") ? null : { agent: subject.agent, model: subject.model },
    verifier: hides.includes("verifier")
      ? ("hidden" as const)
      : {
          outcome: place?.outcome ?? subject.outcomeSeen,
          reward: place === null ? subject.rewardSeen : place.reward,
        },
    others: labels
      .filter((label) => isBlind || label.reviewerKey !== reviewerKey)
      .map(({ annotation }) => ({
        reviewerId: annotation.reviewerId,
        judgment: isBlind ? null : annotation.judgment,
      })),
    decided: isBlind
      ? null
      : state === "contested"
        ? ("left open" as const)
        : state === "adjudicated"
          ? final
          : null,
    categories: [...new Set(visible.flatMap(({ annotation }) => annotation.categories))],
    lastChange: last
      ? { reviewerId: last.annotation.reviewerId, timestamp: last.annotation.timestamp }
      : null,
  };
}

function findStanding(
  { state, labels, nReviewers }: ScopeTrial,
  {
    isMine,
    isSkipped,
    isReviewer,
  }: { readonly isMine: boolean; readonly isSkipped: boolean; readonly isReviewer: boolean },
): QueueStanding {
  const isWanted = !isMine && labels.length < nReviewers;
  if (isWanted && isReviewer) return isSkipped ? "skipped" : "todo";
  if (state === "conflict") return "conflict";
  if (state === "todo") return "todo";
  return state === "waiting" ? "waiting" : "done";
}
