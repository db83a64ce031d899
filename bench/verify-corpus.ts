import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { compareNames } from "@/lib/core/domain/compare-text";
import { FIGURE_KINDS } from "@/lib/core/domain/verification";
import { parsePythonJson, type PyValue } from "@/lib/core/scoring";
import { readCatalog } from "@/lib/read/catalog";

/** Long after any corpus was written, so that a job without an end was cut off and does not run. */
const LATER = Date.UTC(2100, 0);

/** Fields below these hold what agents, tasks and trials are called. */
const NAMED = new Set([
  "evals",
  "rewards",
  "reward_stats",
  "exception_stats",
  "pass_at_k",
  "metrics",
  "kwargs",
  "env",
]);

/** Collects the paths of a document's fields, such as `stats.evals.*.n_trials`. */
function collectFields(value: PyValue, path: string, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collectFields(item, `${path}[]`, found);
  if (!(value instanceof Map)) return;
  const isNamed = NAMED.has(path.slice(path.lastIndexOf(".") + 1)) || path.endsWith("reward_stats.*");
  for (const [name, child] of value) {
    // A trial's config holds no figures.
    if (name === "config") continue;
    const field = `${path}.${isNamed ? "*" : name}`;
    found.add(field);
    collectFields(child, field, found);
  }
}

function listFields(folder: string): Set<string> {
  const found = new Set<string>();
  for (const [kind, pattern] of [
    ["job", "*/*/result.json"],
    ["trial", "*/*/*/result.json"],
  ] as const) {
    for (const file of globSync(pattern, { cwd: folder }))
      collectFields(parsePythonJson(readFileSync(join(folder, file), "utf8")), kind, found);
  }
  return found;
}

/** Fields that any version of the corpus has. */
function listKnownFields(corpus: string): Set<string> {
  return new Set(globSync("*", { cwd: corpus }).flatMap((name) => [...listFields(join(corpus, name))]));
}

const [folder = "", corpus = ""] = process.argv.slice(2);
const { jobs } = readCatalog({ roots: [folder], now: () => LATER });
const figures = jobs.flatMap(({ path, report }) =>
  report.figures.map((figure) => ({ ...figure, job: relative(folder, path) })),
);
const byKind = Map.groupBy(figures, ({ kind }) => kind);
const known = listKnownFields(corpus);
const report = {
  nJobs: jobs.length,
  kinds: FIGURE_KINDS.map((kind) => {
    const own = byKind.get(kind) ?? [];
    return {
      kind,
      nFigures: own.length,
      nConfirmed: own.filter(({ verdict }) => ["exact", "ulp", "explained"].includes(verdict)).length,
      changed: own
        .filter(({ verdict }) => verdict === "mismatch" || verdict === "unknown-rule")
        .map(({ job, path, reason }) => ({ job, path, reason: reason ?? "" })),
    };
  }),
  newFields: [...listFields(folder)].filter((field) => !known.has(field)).toSorted(compareNames),
};
process.stdout.write(JSON.stringify(report));
