import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";
import { z } from "zod";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import type { DatabaseTarget } from "@/lib/store/database";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { bundleAnnotations } from "@/lib/testing/bundle.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { createQueue, listAll, openAnnotationStore, readQueue } from "../index";

const { numRuns: REVIEWERS } = planRuns({ short: 6, long: 20 });
const { numRuns: ITEMS } = planRuns({ short: 200, long: 5_000 });
/** Trials that the surviving reviewers still finish after the kill. */
const { numRuns: TRIALS_AFTER_KILL } = planRuns({ short: 20, long: 2_000 });
/** A process is killed after so many trials. */
const TRIALS_BEFORE_KILL = Math.floor(ITEMS / 30);

const subject: AnnotationSubject = {
  trialId: null,
  jobUuid: "77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901",
  trialName: "tidy-ledger",
  jobName: "nightly",
  rootLabel: "runs",
  taskName: "tidy-ledger",
  agent: "orca",
  model: null,
  outcomeSeen: "failed",
  rewardSeen: "0.0",
};

/** One trial in a reviewer's hands: from when it was given until it was given up or saved, in milliseconds of one clock. */
const heldSchema = z.object({
  reviewer: z.string(),
  position: z.number(),
  from: z.number(),
  to: z.number(),
  saved: z.string().nullable(),
});

type Held = z.output<typeof heldSchema>;

interface Work {
  readonly reviewers: readonly string[];
  /** Called when the process could begin; settles when all may. */
  readonly begin: () => Promise<null>;
  /** The process is killed after so many trials. */
  readonly nTrials?: number;
  /** Settles when the other process has ended; {@link TRIALS_AFTER_KILL} later this one ends too. */
  readonly otherEnded?: Promise<unknown>;
}

/** A process in which some reviewers work on a queue, each as fast as the store answers. */
async function work(
  folder: string,
  target: DatabaseTarget,
  queueId: string,
  { reviewers, begin, nTrials = 0, otherEnded = new Promise(() => undefined) }: Work,
): Promise<readonly Held[]> {
  const script = join(folder, `${reviewers[0] ?? "none"}.mjs`);
  writeFileSync(
    script,
    `import { openAnnotationStore, createAnnotation, takeNext, renewLease, releaseLease, moveItem } from ${JSON.stringify(await bundleAnnotations())};
     const store = openAnnotationStore(${JSON.stringify(target)});
     const queueId = ${JSON.stringify(queueId)};
     const now = () => performance.timeOrigin + performance.now();
     process.stdout.write("ready\\n");
     await new Promise((go) => process.stdin.once("data", go));
     let isOver = false;
     process.stdin.once("end", () => (isOver = true));
     let nSaid = 0;
     async function review(reviewerId, nth) {
       let from = null;
       for (let i = nth; !isOver; i += 1) {
         // The store of a file answers at once, so that nothing else would be heard.
         await new Promise(setImmediate);
         const next = await takeNext(store, { queueId, reviewerId, from });
         const start = now();
         if (next.kind === "done") {
           // Places of a process that was killed are held for minutes.
           if (next.nHeld === 0) return;
           continue;
         }
         const { position, token } = next.lease;
         const place = { queueId, position };
         const say = (to, saved) => {
           process.stdout.write(JSON.stringify(
             { reviewer: reviewerId, position, from: start, to, saved }) + "\\n");
           if (++nSaid === ${String(nTrials)}) process.kill(process.pid, "SIGKILL");
         };
         if (i % 7 === 3) await renewLease(store, { ...place, reviewerId, token });
         const stop = now();
         if (i % 11 === 5) {
           await moveItem(store, { ...place, reviewerId, kind: "skipped" });
           say(stop, null);
         } else if (i % 13 === 6) {
           await releaseLease(store, { ...place, token });
           say(stop, null);
         } else {
           const draft = { reviewerId, reviewerDiscipline: null, judgment: "fail", categories: [], notes: reviewerId + " " + position };
           const saved = await createAnnotation(store, {
             subject: { ...${JSON.stringify(subject)}, trialName: "trial-" + position }, draft, baseVersionId: null,
             queue: { ...place, hidden: ["reviewers"] },
           });
           say(stop, saved.versionId);
         }
         from = position;
       }
     }
     await Promise.all(${JSON.stringify(reviewers)}.map(review));
     process.stdin.destroy();
     await store.close();`,
  );
  const child = spawn(process.execPath, ["--no-warnings", script], { stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  let nAtKill = Infinity;
  const countLines = () => text.split("\n").length;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    if (countLines() > nAtKill + TRIALS_AFTER_KILL) child.stdin.end();
  });
  child.stdin.on("error", () => undefined);
  void otherEnded.then(() => (nAtKill = countLines()));
  child.stdout.once("data", () => void begin().then(() => child.stdin.write("go")));
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(nTrials === 0 ? 0 : null);
  return text
    .split("\n")
    .slice(1, -1)
    .map((line) => heldSchema.parse(JSON.parse(line)));
}

describeEngines("many reviewers in two processes, one of them killed", (engine) => {
  itLong(engine.name === "sqlite")(
    "lose no confirmed save, store nothing twice or for another user, never share a single trial, and continue",
    { timeout: 400_000 },
    async () => {
      const target = { ...(await engine.freshTarget()), busyTimeoutMs: 60_000 };
      const folder = mkdtempSync(join(tmpdir(), "crowd-"));
      const store = openAnnotationStore(target);
      onTestFinished(async () => {
        await store.close();
        rmSync(folder, { recursive: true, force: true });
      });
      const items = Array.from({ length: ITEMS }, (_, position) => ({
        subject: { ...subject, trialName: `trial-${String(position)}` },
        nReviewers: position % 3 === 0 ? (2 as const) : (1 as const),
      }));
      const settings = {
        name: "Crowd",
        goal: "agreement",
        method: "all",
        seed: null,
        order: "list",
        source: "trials",
        sourceHref: null,
        reviewers: [],
        doubleShare: 1 / 3,
        hides: ["reviewers"],
        isOpenCoding: false,
        strata: [],
      };
      const queueId = await createQueue(store, { settings, items, author: "Ada" });
      const names = Array.from({ length: REVIEWERS }, (_, nth) => `Reviewer ${String(nth + 1)}`);
      const half = REVIEWERS / 2;
      const killed = names.slice(half);
      const { promise: bothReady, resolve: go } = Promise.withResolvers<null>();
      let nReady = 0;
      const begin = (): Promise<null> => {
        if (++nReady === 2) go(null);
        return bothReady;
      };
      const ending = work(folder, target, queueId, { reviewers: killed, begin, nTrials: TRIALS_BEFORE_KILL });
      const [survived, ended] = await Promise.all([
        work(folder, target, queueId, { reviewers: names.slice(0, half), begin, otherEnded: ending }),
        ending,
      ]);
      const held = [...survived, ...ended];
      const killedAt = Math.max(...ended.map(({ to }) => to));
      expect(survived.filter(({ from, saved }) => from > killedAt && saved !== null).length).toBeGreaterThan(
        0,
      );

      // Everything that was acknowledged is stored once, for its reviewer and its trial, and besides that what was being said.
      const saves = held.flatMap(({ saved, reviewer, position }) =>
        saved === null ? [] : [{ saved, reviewer, position }],
      );
      const stored = (await listAll(store)).flatMap(({ chains }) =>
        chains.flatMap(({ versions }) =>
          versions.map(({ versionId, reviewerId, notes, queue }) => {
            expect(notes).toBe(`${reviewerId} ${String(queue?.position)}`);
            return { saved: versionId, reviewer: reviewerId, position: queue?.position };
          }),
        ),
      );
      const order = (a: { saved: string }, b: { saved: string }) => (a.saved < b.saved ? -1 : 1);
      const isSaid = ({ saved }: { saved: string }) => saves.some((save) => save.saved === saved);
      expect(stored.filter(isSaid).toSorted(order)).toEqual(saves.toSorted(order));
      const unsaid = stored.filter((one) => !isSaid(one)).map(({ reviewer }) => reviewer);
      expect(killed).toEqual(expect.arrayContaining(unsaid));
      expect(new Set(unsaid).size).toBe(unsaid.length);
      expect(saves.length).toBeGreaterThan(REVIEWERS);

      // No trial has more judgments than it asks for, none twice by one reviewer, and no more reviewers than that held it at once.
      const queue = await readQueue(store, queueId);
      for (const item of queue?.items ?? []) {
        expect(item.labels.length).toBeLessThanOrEqual(item.nReviewers);
        const own = held.filter(({ position }) => position === item.position);
        for (const one of own) {
          const together = own.filter(({ from, to }) => from <= one.from && one.from < to);
          expect(new Set(together.map(({ reviewer }) => reviewer)).size).toBeLessThanOrEqual(item.nReviewers);
        }
      }
      expect(killed).toEqual(expect.arrayContaining(queue?.leases.map(({ reviewerId }) => reviewerId) ?? []));
    },
  );
});
