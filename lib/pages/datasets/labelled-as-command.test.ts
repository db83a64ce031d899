import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";
import { z } from "zod";

import { runCli } from "@/lib/cli/run-cli";
import { formatLeaderboard } from "@/lib/core/comparison";
import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import { formatFingerprint } from "@/lib/core/domain/fingerprint";
import { readVerdict } from "@/lib/core/domain/review";
import { trialsPageHref } from "@/lib/pages/trials/address";
import { openAnnotationStore, resolveAnnotationTarget } from "@/lib/people/annotations";
import { readCatalog } from "@/lib/read/catalog";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { readTrialPlaces, type TrialPlace } from "@/lib/store/tables";
import { indexFolders } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";
import { addLabelledQueue, type ListedTrial } from "@/lib/testing/labelled-queue";
import { writeSyntheticJobs } from "@/lib/testing/synthetic";

import { getDraws, correctRuns } from "../verifier/groups";
import { readLeaderboard } from "./leaderboard";
import { listDatasets } from "./list";

const printedSchema = z.object({
  datasets: z.array(
    z.looseObject({
      groups: z.array(
        z.looseObject({
          runs: z.array(z.looseObject({ job: z.string(), agent: z.string() })),
          corrected: z.looseObject({ kind: z.string(), n_labels: z.int() }).nullable(),
        }),
      ),
    }),
  ),
});

async function print(args: readonly string[], env: Record<string, string>): Promise<string> {
  let stdout = "";
  const sink = { write: () => true, once: () => undefined };
  const out = { ...sink, write: (text: string) => ((stdout += text), true) };
  expect(await runCli(args, { stdout: out, stderr: sink, env })).toBe(0);
  return stdout;
}

/** Trials with a verdict of some jobs; every second one is sampled, and humans contradict the verifier on every seventh. */
function listTrials(
  { jobs }: CatalogSnapshot,
  names: readonly string[],
  { fits = () => true, from = 0 }: { fits?: (hasPassed: boolean) => boolean; from?: number } = {},
): readonly ListedTrial[] {
  const own = jobs.filter(({ job }) => names.includes(job.name));
  return own.flatMap(({ job, trials }) =>
    trials.flatMap(({ trialName, taskName, agent, model, outcome }, at): readonly ListedTrial[] => {
      const hasPassed = readVerdict(outcome);
      if (hasPassed === null || !fits(hasPassed)) return [];
      const isPass = at % 7 === 0 ? !hasPassed : hasPassed;
      const judgment = isPass ? "pass" : "fail";
      return [
        {
          jobName: job.name,
          trialName,
          taskName,
          agent,
          model,
          hasPassed,
          judgment,
          isDrawn: at % 2 === from,
        },
      ];
    }),
  );
}

/** With the fingerprint of each trial's files, but of every fifth with that of another trajectory. */
function mark(list: readonly ListedTrial[], places: readonly TrialPlace[]): readonly ListedTrial[] {
  return list.map((trial, at) => {
    const place = places.find((one) => one.trialName === trial.trialName && one.jobName === trial.jobName);
    if (place?.fingerprint.trajectory == null) throw new Error("Its trajectory was read.");
    const { result, trajectory } = place.fingerprint;
    const seen = at % 5 === 0 ? trajectory.replaceAll(/[0-9a-f]/gu, "0") : trajectory;
    return { ...trial, fingerprint: formatFingerprint({ result, trajectory: seen }) };
  });
}

describeQueries("corrected scores of a leaderboard", (engine) => {
  // Figures use one engine; tests of the reads check that both hold the same.
  const runs = itLong(engine.name === "sqlite");
  runs(
    "are the same on the page and from the command, digit by digit, and so is why there is none",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "labelled-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const jobs = join(folder, "jobs");
      writeSyntheticJobs(jobs, { trials: 360, seed: 5, jobs: 5 });
      const { store } = await indexFolders(engine, [jobs]);
      const target = await engine.freshTarget();
      const data = { ASSAY_DATA: join(folder, "data") };
      const env = target.engine === "postgres" ? { ...data, DATABASE_URL: target.url } : data;
      const annotations = openAnnotationStore(resolveAnnotationTarget(env));
      onTestFinished(() => annotations.close());
      const snapshot = readCatalog({ roots: [jobs] });
      const [a = "", b = "", c = "", d = "", e = ""] = snapshot.jobs.map(({ job }) => job.name).toSorted();
      const ofBoth = listTrials(snapshot, [b, c]);
      const places = await readTrialPlaces(store, new Set(ofBoth.map(({ trialName }) => trialName)));
      const add = (
        list: readonly ListedTrial[],
        method: "random" | "stratified" | "selection",
        href: string,
      ) => addLabelledQueue(annotations, list, { name: method, method, source: "A list", sourceHref: href });
      await add(listTrials(snapshot, [a]), "stratified", trialsPageHref(a, {}));
      await add(mark(ofBoth, places), "random", `/trials?job=${b}&job=${c}`);
      // Labels that correct nothing: sampled from failures, and hand-picked.
      await add(
        listTrials(snapshot, [d], { fits: (hasPassed) => !hasPassed }),
        "random",
        trialsPageHref(d, { outcomes: ["failed", "partial"] }),
      );
      await add(listTrials(snapshot, [e]), "selection", trialsPageHref(e, {}));

      const each = ["leaderboard", jobs, "--pool", "none", "--coverage", "0"];
      const draws = await getDraws(store, annotations);
      const kinds = new Map<string, number>();
      for (const dataset of await listDatasets(store)) {
        const rule = {
          key: null,
          missing: "zero",
          rule: "recorded",
          tasks: "own",
          coverage: 0,
          runs: "each",
          repeats: "apart",
        } as const;
        const { board, groups } = await readLeaderboard(store, dataset, rule);
        const labelled = board.rows.map(({ at }) => {
          const runs = groups[at]?.corrected ?? null;
          return runs === null ? null : correctRuns(draws, runs);
        });
        for (const score of labelled)
          if (score !== null) kinds.set(score.kind, (kinds.get(score.kind) ?? 0) + 1);
        // With every digit, and the reasons.
        const printed = await print([...each, "--dataset", dataset.id, "--format", "csv"], env);
        expect(printed).toBe(formatLeaderboard(board, dataset.label, "csv", labelled));
      }
      expect(kinds.get("computed")).toBeGreaterThan(3);
      expect(kinds.get("left-out")).toBeGreaterThan(1);

      // A list that only pages can open: print no number if pages may know a better one.
      await add(listTrials(snapshot, [a], { from: 1 }), "random", trialsPageHref(a, { text: "task" }));
      const printed = printedSchema.parse(JSON.parse(await print([...each, "--json"], env)));
      const ofA = printed.datasets.flatMap(({ groups }) => groups).filter(({ runs }) => runs[0]?.job === a);
      expect(ofA.length).toBeGreaterThan(0);
      for (const { corrected } of ofA) {
        expect(corrected?.kind).toBe("left-out");
        expect(corrected?.n_labels).toBeGreaterThan(0);
      }
    },
  );
});
