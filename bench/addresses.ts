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

interface Choice {
  readonly values: readonly string[];
  /** Makes the address new once every combination was used: pages ignore a name they do not know. Empty before. */
  readonly n: string;
}

/** Takes `index` apart into one place of each list, the first list turning fastest. */
function pick(index: number, ...lists: readonly (readonly string[])[]): Choice {
  let rest = index;
  const values = lists.map((list) => {
    const value = list[rest % list.length] ?? "";
    rest = Math.floor(rest / list.length);
    return value;
  });
  return { values, n: rest === 0 ? "" : String(rest) };
}

function formatQuery(values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  return query.size === 0 ? "" : `?${query.toString()}`;
}

const DIRECTIONS = ["asc", "desc"];
const AGENTS = ["", "orca", "lamp"];
/** Texts that match every task, many and few: a page with nothing on it would be quick for no good reason. */
const TEXTS = ["", "task-0000", "task-00001", "synthetic", "task-0002", "0"];
/** Sorts of tables of trials. */
const TRIAL_SORTS = ["reward", "task", "agent", "outcome", "cost", "duration", "tokens", "started"];

function listJobKinds(set: DataSet): PageKind[] {
  const paths = set.jobs.map((job) => `/jobs/${job}`);
  const plain = paths[0] ?? "/";
  return [
    {
      name: "job, tasks",
      plain,
      distinct: (index) => {
        const sorts = ["passed", "task", "reward", "reviewed", "cost", "duration"];
        const { values, n } = pick(index, paths, sorts, DIRECTIONS, TEXTS);
        const [path = "", sort = "", dir = "", q = ""] = values;
        return `${path}${formatQuery({ sort, dir, q, n })}`;
      },
    },
    {
      name: "job, trials",
      plain: `${plain}?tab=trials`,
      distinct: (index) => {
        const { values, n } = pick(index, paths, TRIAL_SORTS, DIRECTIONS, ["", "2", "3"], AGENTS);
        const [path = "", sort = "", dir = "", page = "", agent = ""] = values;
        return `${path}${formatQuery({ tab: "trials", sort, dir, page, agent, n })}`;
      },
    },
    {
      name: "job, verification",
      plain: `${plain}?tab=verification`,
      distinct: (index) => {
        const kinds = ["", "counter", "metric", "reward-stats", "outcome"];
        const { values, n } = pick(index, paths, kinds, ["", "exact"]);
        const [path = "", kind = "", verdict = ""] = values;
        return `${path}${formatQuery({ tab: "verification", kind, verdict, n })}`;
      },
    },
    {
      name: "job, errors",
      plain: `${plain}?tab=errors`,
      distinct: (index) => {
        const { values, n } = pick(index, paths);
        return `${values[0] ?? ""}${formatQuery({ tab: "errors", n })}`;
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
      return index < trials.length ? path : `${path}?n=${Math.floor(index / trials.length)}`;
    },
  };
}

/** Triage and what belongs to it. Agents are named with their models here. */
function listTriageKinds(set: DataSet): PageKind[] {
  const jobs = ["", ...set.jobs.slice(0, 50)];
  const agents = ["", "orca meridian-4.5", "lamp halyard-2"];
  const filtered = (name: string, path: string): PageKind => ({
    name,
    plain: path,
    distinct: (index) => {
      const { values, n } = pick(index, jobs, agents);
      const [job = "", agent = ""] = values;
      return `${path}${formatQuery({ job, agent, n })}`;
    },
  });
  return [
    filtered("errors", "/errors"),
    filtered("errors, exceptions", "/errors/exceptions"),
    filtered("errors, taxonomy", "/errors/taxonomy"),
    {
      name: "errors, scanners",
      plain: "/errors/scanners",
      distinct: (index) => `/errors/scanners?n=${index}`,
    },
  ];
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
    if (turn > 0) query.set("threshold", `0.${String(turn).padStart(4, "0")}`);
    return `/compare?${query.toString()}`;
  };
  return [
    {
      name: "jobs list",
      plain: "/",
      distinct: (index) => {
        const sorts = ["finished", "job", "trials", "mean", "cost"];
        const texts = ["", "bench", "bench-00", ...set.jobs.slice(0, 40)];
        const { values, n } = pick(index, sorts, DIRECTIONS, AGENTS, texts);
        const [sort = "", dir = "", agent = "", q = ""] = values;
        return `/${formatQuery({ sort, dir, agent, q, n })}`;
      },
    },
    {
      name: "trials list",
      plain: "/trials",
      distinct: (index) => {
        const { values, n } = pick(index, TRIAL_SORTS, DIRECTIONS, TEXTS, AGENTS);
        const [sort = "", dir = "", q = "", agent = ""] = values;
        return `/trials${formatQuery({ sort, dir, q, agent, n })}`;
      },
    },
    ...listTriageKinds(set),
    { name: "compare", plain: compare(0), distinct: (index) => compare(index + 1) },
    {
      name: "annotations",
      plain: "/annotations",
      distinct: (index) => `/annotations?q=note+${index}`,
    },
    {
      name: "load report",
      plain: "/load-report",
      distinct: (index) => `/load-report?q=bench-${index}`,
    },
  ];
}

/** Every kind of page over a data set, those included that this build may not have. */
export function listPageKinds(set: DataSet): PageKind[] {
  const [jobsList, trialsList, ...others] = listOverviewKinds(set);
  const lists = [jobsList, trialsList].filter((kind) => kind !== undefined);
  return [...lists, ...listJobKinds(set), listTrialKind(set), ...others];
}
