import { setTimeout as wait } from "node:timers/promises";

import type { JobEntry } from "@/lib/core/domain/catalog";
import { formatPlural } from "@/lib/core/format/number";
import { CLASSES } from "@/lib/core/triage/classes";
import { type EndedTrial, findTroubles, type Trouble, TROUBLE_RULE } from "@/lib/core/triage/troubles";
import { readCatalog } from "@/lib/read/catalog";
import type { LoadRoot } from "@/lib/read/loader";

import { parseCommandLine, parseOnlyOperand, UsageError } from "./command-line";
import { KnownFailures, readRules } from "./known-failures";
import { checkFolder, parseSummation } from "./open-folders";
import { makePrintable, type Terminal, writeAll, writeJson } from "./terminal";

/** Runs `assay watch`: reports what goes wrong in running jobs. */
export async function runWatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    last: { type: "string" },
    share: { type: "string" },
    every: { type: "string" },
    once: { type: "boolean" },
    stop: { type: "boolean" },
    data: { type: "string" },
    json: { type: "boolean" },
  });
  const folder = parseOnlyOperand(positionals, "folder");
  checkFolder(folder);
  const rule = {
    nRecent: parseWithin(values.last, { name: "--last", low: 3, high: 1000, usual: TROUBLE_RULE.nRecent }),
    share: parseWithin(values.share, { name: "--share", low: 0.01, high: 1, usual: TROUBLE_RULE.share }),
  };
  const everyMs = 1000 * parseWithin(values.every, { name: "--every", low: 1, high: 3600, usual: 10 });
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
    const isOver = values.once === true || running.length === 0 || (values.stop === true && found.length > 0);
    if (values.json === true) {
      if (isOver) await writeJson(terminal.stdout, prepareJson(folder, running, found));
    } else {
      const fresh = found.filter((one) => !said.has(nameTrouble(one)));
      await writeAll(
        terminal.stdout,
        fresh.map((one) => `${describeTrouble(one)}\n`),
      );
      for (const one of fresh) said.add(nameTrouble(one));
      if (isOver && found.length === 0)
        await writeAll(terminal.stdout, [`${formatPlural(watched.length, "job")}: no trouble.\n`]);
    }
    if (isOver) return found.length > 0 ? 1 : 0;
    await wait(everyMs);
  }
}

interface JobTrouble extends Trouble {
  readonly job: string;
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
    troubles: found.map(({ job, agentModel, failureClass, nTrials, nRecent, text }) => ({
      job,
      agent: agentModel,
      class: failureClass,
      n_trials: nTrials,
      n_recent: nRecent,
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

/** Parses a number. @throws UsageError if it is invalid, too small or too large */
function parseWithin(
  text: string | undefined,
  {
    name,
    low,
    high,
    usual,
  }: { readonly name: string; readonly low: number; readonly high: number; readonly usual: number },
): number {
  if (text === undefined) return usual;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!(value >= low && value <= high))
    throw new UsageError(`${name} takes a number from ${low} to ${high}, not "${text}".`);
  return value;
}
