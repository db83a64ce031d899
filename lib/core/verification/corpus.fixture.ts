import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import type { JobEntry } from "@/lib/core/domain/catalog";
import { parsePythonJson, type PyValue } from "@/lib/core/scoring";
import { readCatalog } from "@/lib/read/catalog";

const JOBS = fileURLToPath(new URL("corpus/jobs/", import.meta.url));
/** Long after the corpus was written, so that a job without an end was cut off and does not run. */
const LATER = Date.UTC(2100, 0);

/** One job that Harbor wrote. */
export interface CorpusJob {
  /** Such as `0.24.0/diff/source`. */
  readonly name: string;
  readonly version: string;
  readonly scenario: string;
  readonly path: string;
}

/** Every job of the corpus, by version and name. */
export function listCorpusJobs(): readonly CorpusJob[] {
  return globSync("*/*/*/config.json", { cwd: JOBS })
    .map((file) => dirname(file))
    .toSorted()
    .map((name) => {
      const [version = "", scenario = ""] = name.split("/");
      return { name, version, scenario, path: join(JOBS, name) };
    });
}

/** True if this Harbor reads reward.txt when both reward files exist. */
export function readsTextFirst(version: string): boolean {
  return ["0.1.45", "0.5.0", "0.6.6"].includes(version);
}

/** Reads and verifies the only job of a folder. */
export function readCorpusJob(path: string): JobEntry {
  const { jobs } = readCatalog({ roots: [path], now: () => LATER });
  const [job] = jobs;
  if (job === undefined || jobs.length > 1) throw new Error(`${path} holds ${jobs.length} jobs`);
  return job;
}

/** The document of a file that Harbor wrote. */
export function readDocument(path: string): Map<string, PyValue> {
  const document = parsePythonJson(readFileSync(path, "utf8"));
  if (!(document instanceof Map)) throw new Error(`${basename(path)} holds no object`);
  return document;
}

/** Up to 0.6.1 two counters of the job had the names of a group's. */
const OLDER_NAMES: Readonly<Record<string, string>> = {
  n_trials: "n_completed_trials",
  n_errors: "n_errored_trials",
};

/** The path of a value in a document: keys, and numbers for places in lists. */
export type Place = readonly (string | number)[];

/** Every figure that a job's result.json states, under the path that verification gives it, with its place. */
export function listRecordedFigures(result: ReadonlyMap<string, PyValue>): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>([["n_total_trials", ["n_total_trials"]]]);
  const stats = asMap(result.get("stats"));
  for (const [name, value] of stats) {
    if (name !== "evals" && value !== null) places.set(`stats.${OLDER_NAMES[name] ?? name}`, ["stats", name]);
  }
  for (const [key, group] of asMap(stats.get("evals"))) {
    for (const place of listGroupFigures(asMap(group))) {
      const path = place.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
      places.set(`stats.evals.${key}${path}`, ["stats", "evals", key, ...place]);
    }
  }
  return places;
}

function listGroupFigures(group: ReadonlyMap<string, PyValue>): Place[] {
  const metrics = group.get("metrics");
  const entries = ["reward_stats", "pass_at_k", "exception_stats"].flatMap((name) =>
    [...asMap(group.get(name))].flatMap(([key, value]) =>
      value instanceof Map ? [...value.keys()].map((text) => [name, key, text]) : [[name, key]],
    ),
  );
  return [
    ["n_trials"],
    ["n_errors"],
    ...(Array.isArray(metrics) ? metrics : []).flatMap((entry: PyValue, index) =>
      [...asMap(entry).keys()].map((name) => ["metrics", index, name]),
    ),
    ...entries,
  ];
}

function asMap(value: PyValue | undefined): ReadonlyMap<string, PyValue> {
  return value instanceof Map ? value : new Map<string, PyValue>();
}
