import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import { JUDGMENTS, type Judgment } from "@/lib/core/domain/judgment";
import { rangeOfPage, takePage, PAGE_ROWS } from "@/lib/core/domain/list-page";
import { readVerdict, type BlindPart } from "@/lib/core/domain/review";
import { sumBy } from "@/lib/core/domain/sum-by";
import { formatTask } from "@/lib/core/format/words";
import { computePace, computeShare } from "@/lib/core/stats";
import { QUEUE_STANDINGS, type QueueParams, type QueueStanding } from "@/lib/pages/queues/address";
import {
  type AnnotationStore,
  describeUnreadableItems,
  getAnnotationStore,
  isForReviewer,
  type Queue,
  readOwnQueueIds,
  type QueueItem,
} from "@/lib/people/annotations";
import { type ScopeTrial, isByChance, readDraw } from "@/lib/people/labels/draws";
import { findDrawReason, describeDrawReason } from "@/lib/people/labels/sample";
import { type IndexStore, readTrialTotals, type TrialPlace } from "@/lib/store/tables";

import { readIndexTime, getScope } from "../annotations/judged";
import { countValues } from "../annotations/page";
import { type BrowserReviewer, getActor, getReviewer } from "../annotations/reviewer";
import { type IdentityOf, getIdentityOf, getStore } from "../shell/catalog";
import { findInIndex } from "../verifier/groups";

export type CoverageLine = ReturnType<typeof coverQueue>[number];

/** `byFinal` counts final judgments, after decisions, without waiting trials. */
export function countQueue(
  trials: readonly Pick<ScopeTrial, "labels" | "nReviewers" | "state" | "final" | "place">[],
) {
  const double = trials.filter(({ labels }) => labels.length > 1);
  const count = (keep: (trial: (typeof trials)[number]) => boolean) => trials.filter(keep).length;
  return {
    nTrials: trials.length,
    nReviewed: count(({ labels, nReviewers }) => labels.length >= nReviewers),
    nJudgments: trials.reduce((sum, { labels }) => sum + labels.length, 0),
    nWanted: trials.reduce((sum, { labels, nReviewers }) => sum + Math.max(0, nReviewers - labels.length), 0),
    nConflicts: count(({ state }) => state === "conflict"),
    nDouble: double.length,
    nAgreed: double.filter(({ state }) => state === "agreed").length,
    byFinal: countJudgments(trials.flatMap(({ final, state }) => (state === "waiting" ? [] : (final ?? [])))),
    nLost: count(({ place }) => place === null),
  };
}

function countJudgments(judgments: readonly Judgment[]): Readonly<Record<Judgment, number>> {
  const count = (judgment: Judgment) => judgments.filter((one) => one === judgment).length;
  return { pass: count(JUDGMENTS[0]), fail: count(JUDGMENTS[1]), defer: count(JUDGMENTS[2]) };
}

/**
 * Counts reviewed trials by agent and verdict, sorted by agent name. Uses the outcome the reviewer saw for trials in no open
 * folder. `nReviewed` trials have at least one judgment, `nComplete` all that they need.
 */
function coverQueue(trials: readonly ScopeTrial[], identityOf: IdentityOf) {
  const byAgent = Map.groupBy(trials, ({ subject }) => JSON.stringify([subject.agent, subject.model]));
  return [...byAgent.values()]
    .flatMap((own) => own.slice(0, 1).map(({ subject: { agent, model } }) => ({ agent, model, own })))
    .toSorted((a, b) => compareNames(a.agent, b.agent) || compareNames(a.model ?? "", b.model ?? ""))
    .map(({ agent, model, own }) => {
      const of = (verdict: boolean | null) => {
        const same = own.filter(
          ({ place, subject }) => readVerdict(place?.outcome ?? subject.outcomeSeen) === verdict,
        );
        return {
          nTrials: same.length,
          nReviewed: same.filter(({ labels }) => labels.length > 0).length,
          nComplete: same.filter(({ labels, nReviewers }) => labels.length >= nReviewers).length,
        };
      };
      const identity = identityOf(agent, model);
      return { agent, model, identity, passed: of(true), failed: of(false), unknown: of(null) };
    });
}

export type QueuePage = Awaited<ReturnType<typeof readQueuePage>>;
export type QueueGroup = QueuePage["groups"][number];
export type ShownQueueRow = QueueGroup["rows"][number];

const GROUP_ROWS = 10;

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
  readonly ownIds: ReadonlySet<string> | null;
  readonly identityOf: IdentityOf;
  readonly now: Date;
}

export async function readQueuePage(
  store: IndexStore,
  { queueId, params, reviewer, ownIds, identityOf, now }: QueueRequest,
  ...from: readonly Parameters<typeof getScope>[2][]
) {
  const { queue, trials } = await getScope(store, { queue: queueId, jobs: [] }, ...from);
  if (queue === null) throw new Error("A scope of a queue has one.");
  const { items, leases: _, skips: __, unreadable, ...head } = queue;
  const isReviewer = isForReviewer(queue.settings, reviewer.reviewerKey);
  const rows = listQueueRows(queue, trials, { reviewerKey: reviewer.reviewerKey, isReviewer, ownIds });
  const shown = rows.filter((row) => matches(row, params));
  const groups = await showGroups(store, shown, params, identityOf);
  const isTheirs = (label: { readonly reviewerKey: string }) => label.reviewerKey === reviewer.reviewerKey;
  const mine = trials.flatMap(({ labels }) => labels.filter(isTheirs));
  const left = rows.filter(({ standing }) => standing === "todo" || standing === "skipped");
  const nLeft = isReviewer ? left.length : 0;
  const own = rows.flatMap((row) => row.mine ?? []);
  // An onlooker, or a user who typed the name of a finished reviewer, may still judge under another name.
  const isDone = isReviewer && nLeft === 0 && own.length === mine.length;
  const hides = isDone || isQueueOver(queue, trials) ? [] : queue.settings.hides;
  // The source may name agent, job and verdict.
  const isSourceShown = !hides.includes("agent") && !hides.includes("verifier");
  const saves = items.flatMap(({ labels }) =>
    labels.filter(isTheirs).map(({ blind }) => Date.parse(blind.timestamp)),
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
      nToDecide: trials.filter(({ state, labels }) => state === "conflict" && !labels.some(isTheirs)).length,
      byJudgment: countJudgments(own),
      pace: computePace(saves, nLeft),
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

function matches(row: QueueRow, params: QueueParams): boolean {
  const isAny = (wanted: readonly string[], values: readonly string[]) =>
    wanted.length === 0 || values.some((value) => wanted.includes(value));
  return (
    row.taskName.toLowerCase().includes(params.text.toLowerCase()) &&
    isAny(params.standings, [row.standing]) &&
    isAny(params.reviewers, listReviewers(row)) &&
    isAny(params.categories, row.categories)
  );
}

function listReviewers({ others, mine }: QueueRow): readonly string[] {
  return [...others.map(({ reviewerId }) => reviewerId), ...(mine === null ? [] : [YOU])];
}

const YOU = "you";
const NO_TOTALS = { nSteps: null, durationMs: null };

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
      ...(totals.get(`${row.trial?.jobRowId ?? ""} ${row.trial?.key ?? ""}`) ?? NO_TOTALS),
      identity: row.agent === null ? 0 : identityOf(row.agent.agent, row.agent.model),
    })),
  }));
}

function listFacets(rows: readonly QueueRow[]) {
  const standings = sumBy(rows, ({ standing }) => standing);
  return {
    standings: QUEUE_STANDINGS.map((value) => ({ value, count: standings.get(value) ?? 0 })),
    reviewers: countValues(rows.flatMap(listReviewers)),
    categories: countValues(rows.flatMap(({ categories }) => categories)),
  };
}

type QueueRow = ReturnType<typeof listQueueRows>[number];

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

/** Rows must not contain what the queue hides from the reviewer. */
function listQueueRows(queue: Queue, trials: readonly ScopeTrial[], asker: Asker) {
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
      standing: findStanding(trial, mine !== null, skipped.has(position), asker),
      state: trial.state,
      trial: trial.place && pickPlace(trial.place),
      holder: holders[0] ?? null,
      mine: hides.includes("reviewers") ? null : (mine?.annotation.judgment ?? null),
      ...reveal(trial, reviewerKey, hides),
    };
  });
}

function pickPlace({ jobRowId, key, attempt }: TrialPlace) {
  return { jobRowId, key, attempt };
}

function reveal(
  { subject, place, labels, state, final }: ScopeTrial,
  reviewerKey: string,
  hides: readonly BlindPart[],
) {
  const isBlind = hides.includes("reviewers");
  const visible = isBlind ? [] : labels;
  const [last] = visible.toSorted((a, b) => (a.annotation.timestamp < b.annotation.timestamp ? 1 : -1));
  const { agent, model, outcomeSeen, rewardSeen } = subject;
  const verifier = place ?? { outcome: outcomeSeen, reward: rewardSeen };
  const decided = state === "adjudicated" ? final : null;
  return {
    agent: hides.includes("agent") ? null : { agent, model },
    verifier: hides.includes("verifier")
      ? ("hidden" as const)
      : { outcome: verifier.outcome, reward: verifier.reward },
    others: labels
      .filter((label) => isBlind || label.reviewerKey !== reviewerKey)
      .map(({ annotation }) => ({
        reviewerId: annotation.reviewerId,
        judgment: isBlind ? null : annotation.judgment,
      })),
    decided: isBlind ? null : state === "contested" ? ("left open" as const) : decided,
    categories: [...new Set(visible.flatMap(({ annotation }) => annotation.categories))],
    lastChange: last
      ? { reviewerId: last.annotation.reviewerId, timestamp: last.annotation.timestamp }
      : null,
  };
}

function findStanding(
  { state, labels, nReviewers }: ScopeTrial,
  isMine: boolean,
  isSkipped: boolean,
  { isReviewer }: Asker,
): QueueStanding {
  const isWanted = !isMine && labels.length < nReviewers;
  if (isWanted && isReviewer) return isSkipped ? "skipped" : "todo";
  return state === "conflict" || state === "todo" || state === "waiting" ? state : "done";
}
