import "server-only";
import { computeReviewerKey } from "@/lib/core/domain/annotation";
import type { Judgment } from "@/lib/core/domain/judgment";
import { rangeOfPage, takePage, PAGE_ROWS } from "@/lib/core/domain/list-page";
import type { BlindPart, ItemState } from "@/lib/core/domain/review";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { Outcome } from "@/lib/core/domain/trial";
import { formatTask } from "@/lib/core/format/words";
import { computePace, computeShare } from "@/lib/core/stats";
import { QUEUE_STANDINGS, type QueueParams, type QueueStanding } from "@/lib/pages/queues/address";
import {
  type AnnotationStore,
  describeUnreadableItems,
  getAnnotationStore,
  type Queue,
  readOwnQueueIds,
  type Lease,
  type QueueItem,
} from "@/lib/people/annotations";
import { isByChance, readDraw } from "@/lib/people/labels/draws";
import { findDrawReason } from "@/lib/people/labels/sample";
import type { ScopeTrial } from "@/lib/people/labels/scope-trials";
import { describeDrawReason } from "@/lib/people/labels/words";
import { type IndexStore, readTrialTotals } from "@/lib/store/tables";

import { readIndexTime } from "../annotations/judged";
import { countValues } from "../annotations/page";
import { type BrowserReviewer, getActor, getReviewer } from "../annotations/reviewer";
import { getScope } from "../annotations/scope";
import { getIdentityOf, getStore } from "../shell/catalog";
import { findInIndex } from "../verifier/draws";
import { countJudgments, countQueue, coverQueue } from "./counts";

export type QueuePage = Awaited<ReturnType<typeof readQueuePage>>;
export type QueueGroup = QueuePage["groups"][number];
export type ShownQueueRow = QueueGroup["rows"][number];

/** Per group while all groups are shown; `PAGE_ROWS` when only one is. */
const GROUP_ROWS = 10;

/** @throws NotFoundError, StoreError */
export async function getQueuePage(queueId: string, params: QueueParams) {
  const [store, identityOf, reviewer, actor] = await Promise.all([
    getStore(),
    getIdentityOf(),
    getReviewer(),
    getActor(),
  ]);
  const ownIds = await readOwnQueueIds(getAnnotationStore(), queueId, actor);
  return readQueuePage(store, { queueId, params, reviewer, ownIds, identityOf, now: new Date() });
}

interface QueueRequest {
  readonly queueId: string;
  readonly params: QueueParams;
  readonly reviewer: BrowserReviewer;
  /** See `readOwnQueueIds`. */
  readonly ownIds: ReadonlySet<string> | null;
  readonly identityOf: (agent: string, model: string | null) => number;
  readonly now: Date;
}

export async function readQueuePage(
  store: IndexStore,
  { queueId, params, reviewer, ownIds, identityOf, now }: QueueRequest,
  ...from: readonly Parameters<typeof getScope>[2][]
) {
  const { queue, trials } = await getScope(store, { queue: queueId, jobs: [] }, ...from);
  if (queue === null) throw new Error("A scope of a queue has one.");
  const { items: _, leases: __, skips: ___, unreadable, ...head } = queue;
  const named = queue.settings.reviewers;
  const isReviewer =
    named.length === 0 || named.some((name) => computeReviewerKey(name) === reviewer.reviewerKey);
  const rows = listQueueRows(queue, trials, { reviewerKey: reviewer.reviewerKey, isReviewer, ownIds });
  const shown = rows.filter((row) => matches(row, params));
  const groups = await showGroups(store, shown, params, identityOf);
  const mine = trials.flatMap(({ labels }) =>
    labels.filter((label) => label.reviewerKey === reviewer.reviewerKey),
  );
  const nLeft = isReviewer
    ? rows.filter(({ standing }) => standing === "todo" || standing === "skipped").length
    : 0;
  const own = rows.flatMap((row) => row.mine ?? []);
  // An onlooker, or a user who typed the name of a finished reviewer, may still judge under another name.
  const isDone = isReviewer && nLeft === 0 && own.length === mine.length;
  const hides = isDone || isQueueOver(queue, trials) ? [] : queue.settings.hides;
  // The source may name agent, job and verdict.
  const isSourceShown = !hides.includes("agent") && !hides.includes("verifier");
  const saves = queue.items.flatMap(({ labels }) =>
    labels.filter((label) => label.reviewerKey === reviewer.reviewerKey).map(({ blind }) => blind.timestamp),
  );
  return {
    queue: head,
    problem: describeUnreadableItems(unreadable),
    counts: countQueue(trials),
    reviewer,
    isReviewer,
    mine: {
      nReviewed: mine.length,
      // Skipped ones included.
      nLeft,
      nToDecide: trials.filter(
        ({ state, labels }) =>
          state === "conflict" && labels.every(({ reviewerKey }) => reviewerKey !== reviewer.reviewerKey),
      ).length,
      byJudgment: countJudgments(own),
      pace: computePace(
        saves.map((time) => Date.parse(time)),
        nLeft,
      ),
      share: computeShare(mine.length, mine.length + nLeft) ?? 0,
    },
    groups,
    nMatching: shown.length,
    countMatching: (change: Partial<QueueParams>) =>
      rows.filter((row) => matches(row, { ...params, ...change })).length,
    facets: listFacets(rows),
    coverage: isSourceShown ? coverQueue(trials, identityOf) : null,
    isSourceShown,
    noCorrection: isSourceShown ? await explainNoCorrection(store, { queue, trials }, ...from) : null,
    nowMs: now.getTime(),
  };
}

async function explainNoCorrection(
  store: IndexStore,
  { queue, trials }: { readonly queue: Queue; readonly trials: readonly ScopeTrial[] },
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<string | null> {
  const lookup = findInIndex(await readIndexTime(store, annotations));
  const draw = isByChance(queue) ? await readDraw(lookup, queue, trials) : null;
  const reason = findDrawReason(draw);
  return reason === null ? null : describeDrawReason(reason);
}

function matches({ taskName, standing, others, categories, mine }: QueueRow, params: QueueParams): boolean {
  const isAny = (wanted: readonly string[], values: readonly string[]) =>
    wanted.length === 0 || values.some((value) => wanted.includes(value));
  return (
    taskName.toLowerCase().includes(params.text.toLowerCase()) &&
    isAny(params.standings, [standing]) &&
    isAny(params.reviewers, others.map(({ reviewerId }) => reviewerId).concat(mine === null ? [] : [YOU])) &&
    isAny(params.categories, categories)
  );
}

const YOU = "you";

async function showGroups(
  store: IndexStore,
  rows: readonly QueueRow[],
  { standings, page }: QueueParams,
  identityOf: QueueRequest["identityOf"],
) {
  const byStanding = Map.groupBy(rows, ({ standing }) => standing);
  const range = standings.length === 1 ? rangeOfPage(page, PAGE_ROWS) : rangeOfPage(1, GROUP_ROWS);
  const cut = QUEUE_STANDINGS.flatMap((standing) => {
    const own = byStanding.get(standing) ?? [];
    return own.length === 0 ? [] : [{ standing, ...takePage(own, range) }];
  });
  const places = cut.flatMap((group) => group.rows.flatMap(({ trial }) => trial ?? []));
  const totals = await readTrialTotals(store, places);
  return cut.map(({ standing, rows: onPage, ...place }) => ({
    standing,
    place,
    rows: onPage.map((row) => ({
      ...row,
      ...(totals.get(`${row.trial?.jobRowId ?? ""} ${row.trial?.key ?? ""}`) ?? {
        nSteps: null,
        durationMs: null,
      }),
      identity: row.agent === null ? 0 : identityOf(row.agent.agent, row.agent.model),
    })),
  }));
}

function listFacets(rows: readonly QueueRow[]) {
  const standings = sumBy(rows, ({ standing }) => standing);
  return {
    standings: QUEUE_STANDINGS.map((value) => ({ value, count: standings.get(value) ?? 0 })),
    reviewers: countValues(
      rows.flatMap(({ others, mine }) => [
        ...others.map(({ reviewerId }) => reviewerId),
        ...(mine === null ? [] : [YOU]),
      ]),
    ),
    categories: countValues(rows.flatMap(({ categories }) => categories)),
  };
}

/** Must not contain what the queue hides from the reviewer. */
interface QueueRow {
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
  /** Versions saved by their browser. Null without browser keys, so that the name alone decides. */
  readonly ownIds: ReadonlySet<string> | null;
}

/**
 * True if the queue hides nothing any more: it is closed, or every trial has all its judgments, so that no reviewer can be swayed.
 */
function isQueueOver({ isClosed }: Pick<Queue, "isClosed">, trials: readonly ScopeTrial[]): boolean {
  return isClosed || trials.every(({ labels, nReviewers }) => labels.length >= nReviewers);
}

/** A name is typed and proves nothing, so the judgment must have been saved in the reviewer's browser. */
function isOwnLabel(item: QueueItem | undefined, { reviewerKey, ownIds }: Asker): boolean {
  if (ownIds === null) return true;
  const label = item?.labels.find((one) => one.reviewerKey === reviewerKey);
  return label !== undefined && [label.blind, label.latest].some(({ versionId }) => ownIds.has(versionId));
}

function listQueueRows(queue: Queue, trials: readonly ScopeTrial[], asker: Asker): readonly QueueRow[] {
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
      taskName: formatTask(trial.subject),
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
