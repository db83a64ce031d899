// Draws failed trials for blind labels, and compares labels with what the rules say. Bundled before it runs.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { drawSample } from "@/lib/core/stats";
import type { FailureClass } from "@/lib/core/triage/classes";
import { hasFailed } from "@/lib/core/triage/classified";
import { makeRuleSet } from "@/lib/core/triage/rule-set";
import { Classifier } from "@/lib/core/triage/rules";
import { readCatalog } from "@/lib/read/catalog";
import { readFailureSignals } from "@/lib/read/loader";

import { type ClassPrecision, parseLabels, scoreLabels } from "./precision-score";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { draw: { type: "string" }, seed: { type: "string", default: "1" } },
});
const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Failed trials with a folder, each once: a copy has the id or the content of another one. */
function listFailed(folder: string) {
  const { jobs, roots } = readCatalog({ roots: [folder] });
  const seen = new Set<string>();
  return jobs.flatMap(({ job, trials }) =>
    trials.flatMap((trial) => {
      const root = roots[job.root];
      const name = trial.id ?? trial.resultDigest ?? trial.folder;
      if (root === undefined || trial.folder === "" || !hasFailed(trial)) return [];
      if (trial.agent === "oracle" || trial.agent === "nop" || seen.has(name)) return [];
      seen.add(name);
      return { root: { ...root, index: job.root }, trial };
    }),
  );
}

function draw(folder: string, size: number, seed: number): void {
  const items = listFailed(folder).map(({ trial }) => ({ key: trial.folder, stratum: "all", cluster: null }));
  for (const trial of drawSample(items, { method: "random", size, seed }).keys)
    print(JSON.stringify({ trial, class: null }));
}

function formatPrecision({ name, interval }: ClassPrecision): string {
  if (interval.kind !== "computed") return `${name}: no labels`;
  const [rate, low, high] = [interval.rate, interval.low, interval.high].map((one) => (100 * one).toFixed(1));
  return `${name}: ${rate} % (${interval.count} of ${interval.n}; 95 % Wilson ${low} to ${high})`;
}

async function measure(file: string, folder: string): Promise<void> {
  const labels = parseLabels(readFileSync(file, "utf8"));
  const asked = new Set(labels.map(({ trial }) => trial));
  const classifier = new Classifier(makeRuleSet(null).set);
  const classes = new Map<string, FailureClass>();
  for (const { root, trial } of listFailed(folder)) {
    if (!asked.has(trial.folder)) continue;
    classes.set(trial.folder, classifier.classify(await readFailureSignals(root, trial)).failureClass);
  }
  const { all, classes: byClass, wrong, nAmbiguous, absent } = scoreLabels(labels, classes);
  for (const one of [all, ...byClass]) print(formatPrecision(one));
  print(`${nAmbiguous} ambiguous labels are not scored.`);
  for (const { trial, label, rules } of wrong) print(`${trial}: labelled ${label}, rules say ${rules}`);
  for (const trial of absent) print(`${trial}: not a failed trial of this folder`);
  if (absent.length > 0) process.exitCode = 1;
}

const [first, second] = positionals;
if (values.draw !== undefined && first !== undefined) draw(first, Number(values.draw), Number(values.seed));
else if (first !== undefined && second !== undefined) await measure(first, second);
else {
  process.stderr.write("Usage: triage:precision -- LABELS.jsonl FOLDER, or --draw N --seed S FOLDER\n");
  process.exitCode = 2;
}
