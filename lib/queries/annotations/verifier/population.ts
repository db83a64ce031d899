import "server-only";

import { listSearchValues } from "@/lib/addresses/address";
import { decodeSegment } from "@/lib/addresses/href";
import { jobPageHref, listUnknownJobValues, parseJobParams } from "@/lib/addresses/job";
import { nameAgentModel } from "@/lib/charts/identity";
import type { QueueStratum } from "@/lib/domain/review";
import { readVerdict } from "@/lib/domain/review";
import { type IndexStore, type PopulationTrial, readHead, readPopulation } from "@/lib/store";

import { openTrialsList } from "../../job/trials-selection";
import { createGenerationCache } from "../../shell/cache";

/** A trial with a verdict that could have been drawn. */
export interface Member extends Pick<PopulationTrial, "jobRowId" | "key" | "family" | "agent" | "model"> {
  /** Key of its group, and of its part of the group with the same settings. */
  readonly groups: readonly string[];
  /** See `nameAgentModel`. */
  readonly agentModel: string;
  readonly hasPassed: boolean;
}

/** The trials of a list that have a verdict, by {@link nameMember}. */
export type Population = ReadonlyMap<string, Member>;

/** Names a trial among those of all jobs. */
export function nameMember({ jobRowId, key }: Pick<Member, "jobRowId" | "key">): string {
  return `${jobRowId} ${key}`;
}

/** Lists may be of all trials there are. */
const MOST_POPULATIONS = 16;

const keep = createGenerationCache(MOST_POPULATIONS);

/**
 * The trials of the list that an address names, as they are now; null when it names no list, or a job that is not open.
 *
 * @param version - of what people say, which a list may be filtered by: judgments, tags, names of clusters
 */
export async function readListPopulation(
  { store, generation, version }: { store: IndexStore; generation: number; version: string },
  href: string,
): Promise<Population | null> {
  const isSaid = /[?&](?:judgment|tag|cluster)=/u.test(href);
  return keep({ store, generation }, `${href} ${isSaid ? version : ""}`, () => readList(store, href));
}

/**
 * The list that an address names without its filters by what came of the trials: those of its jobs, agents, tasks and groups. The
 * same population where it has no such filter; null as in {@link readListPopulation}.
 */
export async function readWholeList(
  at: Parameters<typeof readListPopulation>[0],
  href: string,
): Promise<Population | null> {
  const list = parseList(href);
  if (list === null) return null;
  const { jobKey, search } = list;
  const params = parseJobParams(search, jobKey === null);
  const { jobs, agents, isWithoutReference, tasks, digests, groups } = params;
  const { isDivided, rewardKey, trialSort, descending, columns } = params;
  const drawing = { tab: "trials", isDivided, rewardKey, trialSort, descending, columns } as const;
  const chosen = { jobs, agents, isWithoutReference, tasks, digests, groups };
  const whole = jobPageHref(jobKey, { ...drawing, ...chosen });
  const isWhole = whole === jobPageHref(jobKey, { ...params, tab: "trials" });
  return readListPopulation(at, isWhole ? href : whole);
}

/** The job of the list that an address names, null for all jobs, and what it asks of it; null when it names no list. */
function parseList(href: string) {
  const url = URL.parse(href, "http://localhost");
  const path = /^\/(?:trials|jobs\/(?<job>[^/]+))$/.exec(url?.pathname ?? "");
  if (url === null || path === null) return null;
  const segment = path.groups?.["job"];
  const jobKey = segment === undefined ? null : decodeSegment(segment);
  return { jobKey, search: { ...listSearchValues(url.href), tab: "trials" } };
}

async function readList(store: IndexStore, href: string): Promise<Population | null> {
  const list = parseList(href);
  if (list === null) return null;
  const { jobKey, search } = list;
  const job = jobKey === null ? null : await readHead(store, jobKey);
  if (jobKey !== null && job === null) return null;
  if (listUnknownJobValues(search, job === null).length > 0) return null;
  const { jobs, selection } = await openTrialsList(store, job, parseJobParams(search, job === null));
  return toPopulation(await readPopulation(store, jobs, selection));
}

/** Those of some trials that have a verdict. */
export function toPopulation(trials: readonly PopulationTrial[]): Population {
  return new Map(
    trials.flatMap(({ jobRowId, key, family, agent, model, groupKey, setupKey, outcome }) => {
      const hasPassed = readVerdict(outcome);
      if (hasPassed === null) return [];
      const groups = setupKey === null ? [groupKey] : [groupKey, setupKey];
      const agentModel = nameAgentModel(agent, model);
      const member: Member = { jobRowId, key, family, agent, model, groups, agentModel, hasPassed };
      return [[nameMember(member), member] as const];
    }),
  );
}

/** Trials of one agent by verdict. */
export interface AgentCounts extends Pick<Member, "agent" | "model" | "agentModel"> {
  readonly nPassed: number;
  readonly nFailed: number;
}

/** Counts trials by agent and verdict, agents in the order of their names. */
export function countAgents(members: Iterable<Member>): readonly AgentCounts[] {
  return [...Map.groupBy(members, ({ agentModel }) => agentModel)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([agentModel, own]) => {
      const [first] = own;
      if (first === undefined) return [];
      const nPassed = own.filter(({ hasPassed }) => hasPassed).length;
      return [{ agentModel, agent: first.agent, model: first.model, nPassed, nFailed: own.length - nPassed }];
    });
}

/**
 * Whether a draw was made from these very trials, as far as their numbers tell: by agent and verdict, or in all where the draw
 * did not look at either.
 */
export function isDrawnFrom(
  strata: readonly QueueStratum[],
  population: Population,
  isBlindDraw: boolean,
): boolean {
  const drawn = new Map<string, number>();
  for (const { agent, model, hasPassed, nTrials } of strata) {
    const name = isBlindDraw ? "" : `${nameAgentModel(agent, model)} ${String(hasPassed)}`;
    if (nTrials > 0) drawn.set(name, (drawn.get(name) ?? 0) + nTrials);
  }
  const now = Map.groupBy(population.values(), ({ agentModel, hasPassed }) =>
    isBlindDraw ? "" : `${agentModel} ${String(hasPassed)}`,
  );
  return now.size === drawn.size && [...now].every(([name, own]) => drawn.get(name) === own.length);
}
