import { setTimeout as wait } from "node:timers/promises";

import type { JobEntry } from "@/lib/core/domain/catalog";
import { formatPlural } from "@/lib/core/format/number";
import { CLASSES } from "@/lib/core/triage/classes";
import { type EndedTrial, findTroubles, type Trouble, TROUBLE_RULE } from "@/lib/core/triage/troubles";
import { readCatalog } from "@/lib/read/catalog";
import type { LoadRoot } from "@/lib/read/loader";

import {
  defineCommand,
  flag,
  parseNumber,
  parseOnlyOperand,
  option,
  UsageError,
  parseSummation,
} from "./command";
import { KnownFailures, readRules } from "./known-failures";
import { checkFolder } from "./open-folders";
import { makePrintable, writeAll, writeJson, toSnakeCase } from "./terminal";

export const watch = defineCommand({
  listed: { "watch DIR": "Report problems while jobs run" },
  usage: ["assay watch DIR [OPTIONS]"],
  about: `Reports why most of each agent's latest trials failed, in the running jobs in or below DIR, until all of them end: a
provider that rejects requests, an environment that does not start, a limit that is too low, a verifier that crashes.
Wrong answers are not reported. If no job is running, it reports how the jobs ended.`,
  options: {
    last: option("N", "Check the last N trials of each agent (default 10)."),
    share: option("S", "Report if this share of them failed alike (default 0.5), and at least 3 did."),
    every: option("SECONDS", "Seconds between scans (default 10)."),
    once: flag("Scan once."),
    stop: flag("Stop at the first trouble."),
    json: flag("Print JSON at the end (assay.watch/1)."),
    data: option(
      "DIR",
      "Folder with your own rules.toml (default $ASSAY_DATA, else the user's data folder).",
    ),
  },
  notes: "Exits with 1 if there is a trouble at the end, so that a script can stop a failing job.",
  examples: ["assay watch jobs --once", "harbor run ... & assay watch jobs --stop || kill %1"],
  buckets: "watched",
  async run({ values, positionals }, terminal) {
    const folder = parseOnlyOperand(positionals, "folder");
    checkFolder(folder);
    const rule = {
      nRecent: parseNumber(values.last, "--last", [3, 1000], TROUBLE_RULE.nRecent),
      share: parseNumber(values.share, "--share", [0.01, 1], TROUBLE_RULE.share),
    };
    const everyMs = 1000 * parseNumber(values.every, "--every", [1, 3600], 10);
    const rules = readRules(terminal, values.data, (problem) => {
      throw new UsageError(problem);
    });
    const failures = new KnownFailures(rules, terminal);
    const said = new Set<string>();
    for (;;) {
      const { jobs, roots } = readCatalog({
        roots: [folder],
        summation: parseSummation(undefined, terminal.env),
      });
      const places = roots.map((root, index) => ({ ...root, index }));
      const running = jobs.filter(({ job }) => job.state === "running");
      // If no job runs any more, reports how the jobs ended.
      const watched = running.length > 0 ? running : jobs;
      const found = await findAll(watched, places, failures, rule);
      const isOver = values.once || running.length === 0 || (values.stop && found.length > 0);
      if (!values.json) await writeAll(terminal.stdout, listNew(found, said));
      if (!isOver) {
        await wait(everyMs);
        continue;
      }
      if (values.json) await writeJson(terminal.stdout, prepareJson(folder, running, found));
      else if (found.length === 0)
        terminal.stdout.write(`${formatPlural(watched.length, "job")}: no trouble.\n`);
      return found.length > 0 ? 1 : 0;
    }
  },
});

interface JobTrouble extends Trouble {
  readonly job: string;
}

function* listNew(found: readonly JobTrouble[], said: Set<string>): Generator<string> {
  for (const one of found) {
    const name = nameTrouble(one);
    if (!said.has(name)) yield `${describeTrouble(one)}\n`;
    said.add(name);
  }
}

/** The count is part of the name, so that a trouble is reported again when it grows. */
function nameTrouble({ job, agentModel, failureClass, nTrials }: JobTrouble): string {
  return JSON.stringify([job, agentModel, failureClass, nTrials]);
}

function describeTrouble({ job, agentModel, failureClass, nTrials, nRecent, text }: JobTrouble): string {
  const line = text?.split("\n").find((one) => one.trim() !== "") ?? "";
  const shown = line === "" ? "" : ` (${line.trim().slice(0, 160)})`;
  return makePrintable(
    `${job}: ${nTrials} of the last ${formatPlural(nRecent, "trial")} of ${agentModel}: ${CLASSES[failureClass].words}${shown}`,
  );
}

function prepareJson(folder: string, running: readonly JobEntry[], found: readonly JobTrouble[]) {
  return {
    schema: "assay.watch/1",
    folder,
    n_running: running.length,
    troubles: found.map(({ agentModel, failureClass, text, sinceMs, ...trouble }) => ({
      ...toSnakeCase(trouble),
      agent: agentModel,
      class: failureClass,
      shows: text,
    })),
  };
}

async function findAll(
  jobs: readonly JobEntry[],
  roots: readonly LoadRoot[],
  failures: KnownFailures,
  rule: typeof TROUBLE_RULE,
): Promise<readonly JobTrouble[]> {
  const found: JobTrouble[] = [];
  for (const { job, trials } of jobs) {
    const root = roots[job.root];
    const ended: EndedTrial[] = [];
    for (const trial of trials) {
      const endedMs = (trial.time.finishedAt ?? trial.time.startedAt)?.epochMs;
      if (trial.state !== "finished" || endedMs === undefined || root === undefined) continue;
      const agentModel = trial.model === null ? trial.agent : `${trial.agent} ${trial.model}`;
      ended.push({ agentModel, endedMs, failure: await failures.find(root, trial) });
    }
    for (const trouble of findTroubles(ended, rule)) found.push({ ...trouble, job: job.name });
  }
  return found;
}
