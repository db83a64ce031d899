import "server-only";
import { readApart, unlessReadingFails } from "@/lib/read/trial-reading";
import type { DatasetTrial, IndexStore } from "@/lib/store/tables";

import { getCached } from "../shell/catalog";
import { locateTrial } from "../trial/locate";
import { listCounted, nameAgent } from "./counted";
import type { TaskPage } from "./page";

/** Attempts whose trajectories are read. Each takes as long as the page of its trial. */
const MAX_READ = 4;

export type TaskInstructions = Awaited<ReturnType<typeof readTaskInstructions>>;

export type TaskInstruction = TaskInstructions["texts"][number];

export async function getTaskInstructions(page: TaskPage) {
  const { dataset, taskName, version } = page;
  const name = JSON.stringify(["task instruction", dataset.ids, taskName, version]);
  return getCached(name, (store) => readTaskInstructions(store, page));
}

/** Prefers attempts of different agents, then of the newest jobs. */
export async function readTaskInstructions(store: IndexStore, page: TaskPage) {
  const chosen = chooseAttempts(listCounted(page));
  const read = await Promise.all(chosen.map(async (trial) => readOne(store, trial)));
  const texts = Map.groupBy(
    read.flatMap((one) => (one === "silent" || one === "unread" ? [] : [one])),
    ({ text }) => text.replaceAll(/\s+/gu, " "),
  );
  return {
    /** Texts that differ beyond white space, most attempts first. */
    texts: [...texts.values()]
      .flatMap((own) => own.slice(0, 1).map((first) => ({ ...first, nAttempts: own.length })))
      .toSorted((a, b) => b.nAttempts - a.nAttempts),
    nRead: read.length,
    nSilent: read.filter((one) => one === "silent").length,
    nUnread: read.filter((one) => one === "unread").length,
  };
}

function chooseAttempts(trials: readonly DatasetTrial[]): readonly DatasetTrial[] {
  const nth = new Map<string, number>();
  const ranked = trials.map((trial) => {
    const own = `${nameAgent(trial)}\n${String(trial.nSteps === null)}`;
    nth.set(own, (nth.get(own) ?? 0) + 1);
    return { trial, before: nth.get(own) ?? 0 };
  });
  return ranked
    .toSorted(
      (a, b) => Number(a.trial.nSteps === null) - Number(b.trial.nSteps === null) || a.before - b.before,
    )
    .slice(0, MAX_READ)
    .map(({ trial }) => trial);
}

/** `silent`: without an instruction. */
async function readOne(store: IndexStore, { jobKey, jobName, key, agent, attempt }: DatasetTrial) {
  const located = await locateTrial(store, jobKey, key);
  if (located === null) return "silent" as const;
  const { place } = located;
  const reading = readApart("instruction", place.path ?? "", place);
  const found = await unlessReadingFails<Awaited<typeof reading> | "unread">(reading, () => "unread");
  if (found === null) return "silent";
  if (found === "unread") return found;
  const { key: stepKey, text, isCut } = found;
  return { text, isCut, stepKey, trial: { jobKey, jobName, key, agent, attempt } };
}
