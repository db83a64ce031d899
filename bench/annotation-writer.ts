// Saves one judgment after another, as the review form does, until its standard input closes; then prints the times in
// milliseconds as JSON. Bundled before it runs, with the code of lib/people/annotations that pages use.

import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

import { createAnnotation, openAnnotationStore, resolveAnnotationTarget } from "@/lib/people/annotations";

const PACE_MS = 5;
const NOTES =
  "The task was solved, and the check that failed looks at a file the task never asked for. ".repeat(6);

// Another process may have judged trials of the same names before.
const JOB_ID = randomUUID();

const store = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: process.argv[2] ?? "." }));
const times: number[] = [];
const over = new AbortController();
process.stdin.on("end", () => over.abort()).resume();

async function saveJudgment(place: number): Promise<void> {
  await createAnnotation(store, {
    subject: {
      trialId: randomUUID(),
      jobUuid: JOB_ID,
      trialName: `synthetic__${String(place)}`,
      jobName: "synthetic",
      rootLabel: "bench",
      taskName: "synthetic",
      agent: "orca",
      model: "meridian-4.5",
      outcomeSeen: "failed",
      rewardSeen: "0.0",
    },
    draft: {
      reviewerId: "Bench",
      reviewerDiscipline: "measuring",
      judgment: "fail",
      categories: ["Wrong file", "Unfair check"],
      notes: NOTES,
    },
    baseVersionId: null,
  });
}

// The first one makes the file, which no later one does.
await saveJudgment(0);
process.stdout.write("ready\n");
for (let place = 1; !over.signal.aborted; place += 1) {
  const startedAt = performance.now();
  await saveJudgment(place);
  times.push(performance.now() - startedAt);
  await wait(PACE_MS);
}
await store.close();
process.stdout.write(`${JSON.stringify(times)}\n`);
