import "server-only";
import { ValidationError } from "@/lib/core/domain/app-error";
import { compareText } from "@/lib/core/domain/compare-text";
import { type QueueStratum, readVerdict } from "@/lib/core/domain/review";
import { chooseDouble, drawSample, type Sample } from "@/lib/core/stats";
import { type AnnotationStore, getAnnotationStore, type QueueDraw } from "@/lib/people/annotations";
import { findPart, type Member, nameMember, toPopulation } from "@/lib/people/labels/members";
import { collectSample } from "@/lib/people/labels/sample";
import type { ScopeTrial } from "@/lib/people/labels/scope-trials";
import {
  type IndexStore,
  nameAttempts,
  namePlace,
  readCandidates,
  readClusterKeys,
  readFlakyAttempts,
  readPopulation,
  type TrialCandidate,
} from "@/lib/store/tables";

import { readIndexTime } from "../annotations/judged";
import { getScope } from "../annotations/scope";
import { readClusters } from "../clusters/clusters";
import { createGenerationCache } from "../shell/cache";
import { getDraws, readWholeList } from "../verifier/draws";
import { drawPlanned } from "../verifier/plan";
import type { QueueSource } from "./source";

export interface DrawnTrial extends TrialCandidate {
  /** Does not depend on the folder or index if the trial has a uuid, so that a draw can be repeated. */
  readonly id: string;
  readonly place: string;
  readonly stratum: string;
  /** Key of the failure cluster; null if passed, not classified yet, or not asked for. */
  readonly cluster: string | null;
  /** See `readVerdict`: false also for an errored trial without a reward, null for an unscored one. */
  readonly hasPassed: boolean | null;
}

export type DrawnQueue = Awaited<ReturnType<typeof drawQueue>>;

/**
 * Draws the same trials for the same form and pool. `strata` are by agent and verdict if trials were drawn at random from all; else
 * empty. @throws StoreError
 */
export async function drawQueue(
  store: IndexStore,
  source: QueueSource,
  draw: QueueDraw,
  annotations: AnnotationStore = getAnnotationStore(),
) {
  const at = await readIndexTime(store, annotations);
  const rows = await listCandidates(at, source, draw, annotations);
  const pool = await choosePool({ store, annotations, source }, draw, rows);
  const { drawn, strata } = await drawFromPool({ store, annotations, source, at }, pool, draw);
  const places = new Map(pool.map(({ id }, place) => [id, place]));
  const isAll = draw.method === "all" || draw.method === "selection";
  const trials =
    draw.order === "list"
      ? drawn.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
      : isAll
        ? shuffle(drawn, draw.seed)
        : drawn;
  const double = chooseDouble(
    trials.map(({ id }) => id),
    draw.doubleShare,
    draw.seed,
  );
  return {
    trials,
    double: new Set(double),
    nMatching: rows.length,
    pool,
    strata,
    nClusters: draw.method === "clusters" ? new Set(pool.map(({ cluster }) => cluster)).size : null,
    seed: isAll && draw.order === "list" && draw.doubleShare === 0 ? null : draw.seed,
  };
}

type IndexTime = Parameters<typeof readWholeList>[0];

/** Lists may hold 100,000 trials. */
const keep = createGenerationCache(2);

/** Cached while the form is filled in, since size, method and seed do not change the list. */
async function listCandidates(
  { store, generation, version }: IndexTime,
  source: QueueSource,
  draw: QueueDraw,
  annotations: AnnotationStore,
): Promise<readonly TrialCandidate[]> {
  const name = JSON.stringify([annotations.place, version, draw.source]);
  return keep({ store, generation }, name, () =>
    readCandidates(store, source.jobs, source.selection, source.sort),
  );
}

async function drawFromPool(
  { store, annotations, source, at }: Stores & { readonly at: IndexTime },
  pool: readonly DrawnTrial[],
  draw: QueueDraw,
): Promise<{ readonly drawn: readonly DrawnTrial[]; readonly strata: readonly QueueStratum[] }> {
  const { method, size, seed } = draw;
  if (method === "planned") {
    const byPlace = new Map(pool.map((trial) => [trial.place, trial]));
    const members = toPopulation(await readPopulation(store, source.jobs, source.selection));
    const whole = source.href === null ? null : await readWholeList(at, source.href);
    if (whole !== null && findPart(members, whole) !== null)
      throw new ValidationError("Some fields are invalid.", {
        method: "The list is filtered by result, so labels correct no score. Choose another method.",
      });
    const { draws } = await getDraws(store, annotations);
    const keyOf = (member: Member) => byPlace.get(nameMember(member))?.id ?? nameMember(member);
    const planned = drawPlanned(collectSample(members, draws), { size, seed, keyOf });
    return {
      drawn: planned.drawn.flatMap((member) => byPlace.get(nameMember(member)) ?? []),
      strata: planned.strata,
    };
  }
  const sample = drawFrom(pool, { method, size, seed });
  const byId = new Map(pool.map((trial) => [trial.id, trial]));
  const isOfAll = method !== "disagreements" && method !== "flaky" && method !== "selection";
  return {
    drawn: sample.keys.flatMap((id) => byId.get(id) ?? []),
    strata: isOfAll ? toStrata(sample, byId) : [],
  };
}

interface Stores {
  readonly store: IndexStore;
  readonly annotations: AnnotationStore;
  readonly source: QueueSource;
}

async function choosePool(
  { store, annotations, source }: Stores,
  { method }: QueueDraw,
  rows: readonly TrialCandidate[],
): Promise<readonly DrawnTrial[]> {
  const clusters = method === "clusters" ? await readClustersByPlace({ store, annotations, source }) : null;
  const all = rows.map((row) => describe(row, clusters));
  const readSettled = async () => (await getScope(store, { queue: null, jobs: [] }, annotations)).trials;
  switch (method) {
    case "stratified":
    case "planned":
      return all.filter(({ hasPassed }) => hasPassed !== null);
    case "clusters":
      return all.filter(({ cluster }) => cluster !== null);
    case "flaky": {
      const flaky = await readFlakyAttempts(store, source.jobs);
      return all.filter((trial) => flaky.has(nameAttempts(trial)));
    }
    case "disagreements": {
      const differing = new Set(
        (await readSettled()).filter(isDisputed).flatMap(({ place }) => nameJobTrial(place)),
      );
      return all.filter((trial) => differing.has(trial.place));
    }
    case "all":
    case "selection":
    case "random":
      return all;
  }
}

async function readClustersByPlace({
  store,
  annotations,
  source,
}: Stores): Promise<ReadonlyMap<string, string>> {
  const [{ headOf }, keys] = await Promise.all([
    readClusters(store, annotations),
    readClusterKeys(store, source.jobs),
  ]);
  return new Map(Array.from(keys, ([place, key]) => [place, headOf.get(key) ?? key]));
}

function describe(row: TrialCandidate, clusters: ReadonlyMap<string, string> | null): DrawnTrial {
  const hasPassed = readVerdict(row.outcome);
  return {
    ...row,
    hasPassed,
    id: `${row.trialName} ${row.uuid ?? `${row.jobRowId} ${row.key}`}`,
    place: `${row.jobRowId} ${row.key}`,
    stratum: JSON.stringify([row.agent, row.model, hasPassed]),
    cluster: clusters?.get(namePlace(row)) ?? null,
  };
}

function nameJobTrial(place: ScopeTrial["place"]): readonly string[] {
  return place === null ? [] : [`${place.jobRowId} ${place.key}`];
}

function isDisputed({ place, labels }: ScopeTrial): boolean {
  const verdict = place === null ? null : readVerdict(place.outcome);
  const judgments = labels.map(({ annotation }) => annotation.judgment);
  const isAgainst = judgments.some(
    (one) => one !== "defer" && verdict !== null && (one === "pass") !== verdict,
  );
  return isAgainst || new Set(judgments).size > 1;
}

function drawFrom(
  pool: readonly DrawnTrial[],
  {
    method,
    size,
    seed,
  }: Pick<QueueDraw, "size" | "seed"> & { readonly method: Exclude<QueueDraw["method"], "planned"> },
): Sample {
  const items = pool.map(({ id, stratum, cluster }) => ({ key: id, stratum, cluster }));
  switch (method) {
    case "all":
    case "selection":
      return drawSample(items, { method: "all", size: items.length, seed });
    case "stratified":
      return drawSample(items, { method: "stratified", size, seed });
    case "clusters":
      return drawSample(items, { method: "one-per-cluster", size, seed });
    case "random":
    case "flaky":
    case "disagreements":
      return drawSample(items, { method: "random", size, seed });
  }
}

function shuffle(drawn: readonly DrawnTrial[], seed: number): readonly DrawnTrial[] {
  const byId = new Map(drawn.map((trial) => [trial.id, trial]));
  const items = drawn.map(({ id }) => ({ key: id, stratum: "", cluster: null }));
  const { keys } = drawSample(items, { method: "random", size: items.length, seed });
  return keys.flatMap((id) => byId.get(id) ?? []);
}

function toStrata({ strata }: Sample, byId: ReadonlyMap<string, DrawnTrial>): readonly QueueStratum[] {
  const named = new Map([...byId.values()].map((trial) => [trial.stratum, trial]));
  return (strata ?? [])
    .flatMap(({ stratum, nTrials, nDrawn }): QueueStratum[] => {
      const trial = named.get(stratum);
      if (trial === undefined || trial.hasPassed === null) return [];
      return [{ agent: trial.agent, model: trial.model, hasPassed: trial.hasPassed, nTrials, nDrawn }];
    })
    .toSorted(
      (a, b) =>
        compareText(a.agent, b.agent) ||
        compareText(a.model ?? "", b.model ?? "") ||
        Number(b.hasPassed) - Number(a.hasPassed),
    );
}
