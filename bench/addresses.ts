import { readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { type DataSet, listTrials } from "./data-set.ts";

/** A kind of page and its addresses over one data set. */
export interface PageKind {
  readonly name: string;
  /** The plainest address, which is also the one that is repeated. */
  readonly plain: string;
  /** Never the same address twice: `index` counts up over all series of a server. */
  readonly distinct: (index: number) => string;
}

const jobResult = z.looseObject({ stats: z.looseObject({ evals: z.record(z.string(), z.unknown()) }) });

/** Keys of the evals groups; every job of a synthetic folder has the same ones. */
function readGroups(set: DataSet): string[] {
  const file = join(set.folder, set.jobs[0] ?? "", "result.json");
  return Object.keys(jobResult.parse(JSON.parse(readFileSync(file, "utf8"))).stats.evals);
}

/** Takes `index` apart into one place of each list, the first list turning fastest. */
function pick(index: number, ...lists: readonly (readonly string[])[]): string[] {
  let rest = index;
  return lists.map((list) => {
    const value = list[rest % list.length] ?? "";
    rest = Math.floor(rest / list.length);
    return value;
  });
}

function formatQuery(values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  return query.size === 0 ? "" : `?${query.toString()}`;
}

const DIRECTIONS = ["asc", "desc"];
const AGENTS = ["", "orca", "lamp"];
/** Texts that match many tasks, few, and none. */
const TEXTS = ["", "task-0000", "task-00001", "synthetic", "task-0002", "nothing-like-it", "0"];
/** Ends that match nothing of their own but make an address new: the text filter looks for every word. */
const countText = (index: number): string => `task-${String(index % 100).padStart(5, "0")}`;

function listJobKinds(set: DataSet): PageKind[] {
  const [first = ""] = set.jobs;
  const job = (index: number): string => `/jobs/${set.jobs[index % set.jobs.length] ?? first}`;
  const turn = (index: number): number => Math.floor(index / set.jobs.length);
  return [
    {
      name: "job, tasks",
      plain: job(0),
      distinct: (index) => {
        const sorts = ["passed", "task", "reward", "reviewed", "cost", "duration"];
        const [sort = "", dir = "", q = ""] = pick(turn(index), sorts, DIRECTIONS, TEXTS);
        return `${job(index)}${formatQuery({ sort, dir, q, min: turn(index) < 84 ? "" : `0.${turn(index)}` })}`;
      },
    },
    {
      name: "job, trials",
      plain: `${job(0)}?tab=trials`,
      distinct: (index) => {
        const sorts = ["reward", "task", "agent", "outcome", "cost", "duration", "tokens", "started"];
        const lists = [sorts, DIRECTIONS, ["", "2", "5"], AGENTS, TEXTS];
        const [sort = "", dir = "", page = "", , q = ""] = pick(turn(index), ...lists);
        const max = String(500 + turn(index));
        return `${job(index)}${formatQuery({ tab: "trials", sort, dir, page, q, time_max: max })}`;
      },
    },
    {
      name: "job, verification",
      plain: `${job(0)}?tab=verification`,
      distinct: (index) => {
        const verdict = turn(index) === 0 ? "" : "exact";
        return `${job(index)}${formatQuery({ tab: "verification", verdict, q: turn(index) < 2 ? "" : countText(index) })}`;
      },
    },
    {
      name: "job, errors",
      plain: `${job(0)}?tab=errors`,
      distinct: (index) => {
        const q = turn(index) === 0 ? "" : countText(turn(index));
        return `${job(index)}${formatQuery({ tab: "errors", q })}`;
      },
    },
  ];
}

function listTrialKind(set: DataSet): PageKind {
  // Enough trials for every series, from jobs that lie apart.
  const step = Math.max(1, Math.floor(set.jobs.length / 20));
  const trials = set.jobs
    .filter((_, place) => place % step === 0)
    .flatMap((job) => listTrials(set, job).map((trial) => `/jobs/${job}/trials/${trial}`));
  // A stride that is prime to any count of trials here, so that neighbours are of different tasks and jobs.
  const STRIDE = 7_919;
  return {
    name: "trial",
    plain: trials[0] ?? "/",
    distinct: (index) => {
      const path = trials[((index + 1) * STRIDE) % trials.length] ?? "/";
      return index < trials.length ? path : `${path}?from=${Math.floor(index / trials.length)}`;
    },
  };
}

function listOverviewKinds(set: DataSet): PageKind[] {
  const [first = ""] = set.jobs;
  const groups = readGroups(set);
  const compare = (index: number): string => {
    const other = set.jobs[(index + 1) % set.jobs.length] ?? first;
    const mine = set.jobs[index % set.jobs.length] ?? first;
    const query = new URLSearchParams([
      ["g", `${mine}:${groups[0] ?? ""}`],
      ["g", `${other}:${groups[1] ?? ""}`],
    ]);
    const turn = Math.floor(index / set.jobs.length);
    if (turn > 0) query.set("threshold", `0.${String(turn).padStart(3, "0")}`);
    return `/compare?${query.toString()}`;
  };
  const number = (index: number): string => String(index).padStart(4, "0");
  return [
    {
      name: "jobs list",
      plain: "/",
      distinct: (index) => {
        const sorts = ["finished", "job", "trials", "mean", "cost"];
        const texts = ["", "bench", "bench-00", "synthetic", ...set.jobs.slice(0, 40)];
        const [sort = "", dir = "", agent = "", q = ""] = pick(index, sorts, DIRECTIONS, AGENTS, texts);
        return `/${formatQuery({ sort, dir, agent, q: index < 30 * texts.length ? q : number(index) })}`;
      },
    },
    {
      name: "trials list",
      plain: "/trials",
      distinct: (index) => {
        const sorts = ["reward", "task", "agent", "outcome", "cost", "duration", "tokens", "started"];
        const [sort = "", dir = "", q = ""] = pick(index, sorts, DIRECTIONS, TEXTS);
        return `/trials${formatQuery({ sort, dir, q, time_max: String(400 + index) })}`;
      },
    },
    {
      name: "errors",
      plain: "/errors",
      distinct: (index) => {
        const [job = "", agent = ""] = pick(index, ["", ...set.jobs.slice(0, 50)], AGENTS);
        const q = index < (Math.min(50, set.jobs.length) + 1) * 3 ? "" : `error ${number(index)}`;
        return `/errors${formatQuery({ job, agent, q })}`;
      },
    },
    { name: "compare", plain: compare(0), distinct: (index) => compare(index + 1) },
    {
      name: "annotations",
      plain: "/annotations",
      distinct: (index) => `/annotations?q=note+${number(index)}`,
    },
    {
      name: "load report",
      plain: "/load-report",
      distinct: (index) => `/load-report?q=bench-${number(index)}`,
    },
  ];
}

/** Every kind of page over a data set, those included that this build may not have. */
export function listPageKinds(set: DataSet): PageKind[] {
  const [jobsList, trialsList, ...others] = listOverviewKinds(set);
  const lists = [jobsList, trialsList].filter((kind) => kind !== undefined);
  return [...lists, ...listJobKinds(set), listTrialKind(set), ...others];
}
