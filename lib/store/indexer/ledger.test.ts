import { readFileSync, rmSync, writeFileSync } from "node:fs";

import { expect, it } from "vitest";

import {
  evaluation,
  EXPERIMENT,
  FIRST,
  firstRecord,
  MANIFEST,
  SECOND,
  WRITTEN,
} from "@/lib/read/loader/ledger/ledger.fixture";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import {
  readDeterminism,
  readHead,
  readRecordedJudgments,
  readRecordedTotals,
  readSuspicions,
} from "@/lib/store/tables";
import { decodeValue } from "@/lib/store/tables/schema/codec";
import { jobFiles, makeFolder, writeFiles } from "@/lib/testing/folder.fixture";
import { dumpFresh, dumpIndex, indexFolders } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

const ANNOTATION = "feedback/annotations/trial-001/a1.json";

/** Everything that may happen to a ledger, and the beginning of a line that the index gains by it. */
const CHANGES: readonly (readonly [string, (folder: string) => void])[] = [
  [
    "a record with another reward",
    (folder) => replace(`${folder}/${FIRST}`, '"reward": 0.93', '"reward": 1.0'),
  ],
  ["a record that breaks", (folder) => writeFileSync(`${folder}/${FIRST}`, '{"trial_id"')],
  ["a record that is whole again", (folder) => writeFiles(folder, { [FIRST]: firstRecord() })],
  [
    "another record",
    (folder) => writeFiles(folder, { [`${EXPERIMENT}/t2.json`]: firstRecord({ trial_id: "t2" }) }),
  ],
  [
    "another model in the manifest",
    (folder) => replace(`${folder}/${MANIFEST}`, "claude-sonnet-4", "claude-opus-9"),
  ],
  ["a manifest that is gone", (folder) => rmSync(`${folder}/${MANIFEST}`)],
  ["another judgment", (folder) => replace(`${folder}/${ANNOTATION}`, '"fail"', '"defer"')],
  ["a judgment that is gone", (folder) => rmSync(`${folder}/${ANNOTATION}`)],
  ["a verdict of triage", (folder) => writeTriage(folder)],
  ["reviewers' files that are gone", (folder) => rmSync(`${folder}/feedback`, { recursive: true })],
  ["a record that is gone", (folder) => rmSync(`${folder}/${SECOND}`)],
];

function replace(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) throw new Error(`${from} is not in ${file}`);
  writeFileSync(file, text.replaceAll(from, to));
}

function writeTriage(folder: string): void {
  const verdict = { verdict: "pass", notes: null, timestamp: "2026-03-14T10:00:00Z" };
  writeFiles(folder, { [`${EXPERIMENT}/_annotations/brisbane-8rm__BHVuXg2.json`]: verdict });
}

describeEngines("an index of a ledger", (engine) => {
  itLong(engine.name === "sqlite")(
    "is a fresh one after every change, and another one than before",
    async () => {
      const folder = makeFolder({ ...WRITTEN, ...jobFiles("jobs/run", { alpha__aaaaaaa: 1 }) });
      const index = await indexFolders(engine, [folder]);
      let before = await dumpIndex(index.store);
      for (const [what, change] of CHANGES) {
        change(folder);
        await index.refresh();
        await index.settle();
        expect(index.status().failure).toBeNull();
        const after = await dumpIndex(index.store);
        expect(after, what).toEqual(await dumpFresh([folder]));
        expect(after, what).not.toEqual(before);
        before = after;
      }
    },
  );

  itLong(engine.name === "sqlite")(
    "compares outputs that records name inside the opened folder, and takes a broken output for what it is",
    async () => {
      const recordOf = (trial_id: string, reward: number, output_path: string, output_parseable = true) =>
        firstRecord({
          trial_id,
          outputs: { agent_output: { status: "completed", output_path, output_format: "md" } },
          evaluation: evaluation({
            reward,
            validity: { output_parseable, schema_valid: true, verifier_completed: true, errors: [] },
            breakdown: reward === 0 ? null : { drop: 1 },
          }),
        });
      const folder = makeFolder({
        "ledger/e/a.json": recordOf("a", 1, "_files/same.md"),
        "ledger/e/b.json": recordOf("b", 0, "_files/same.md", false),
        "ledger/e/c.json": recordOf("c", 1, "_files/other.md"),
        "ledger/e/d.json": recordOf("d", 0, "/workspace/output.md"),
        "ledger/e/f.json": recordOf("f", 0, "../../../same.md", false),
        "ledger/e/_files/same.md": "7.31 V",
        "ledger/e/_files/other.md": "7.24 V",
      });
      const { store } = await indexFolders(engine, [folder]);
      const job = await readHead(store, "e");
      if (job === null) throw new Error("the ledger is not there");
      expect(await readDeterminism(store, job.rowId)).toMatchObject({
        nChecked: 3,
        nShared: 2,
        nDisagreeing: 2,
      });
      expect([...(await readSuspicions(store, job.rowId)).keys()]).toEqual(["d"]);
    },
  );

  it("holds dimensions, tags and recorded judgments of its records", async () => {
    const folder = makeFolder(WRITTEN);
    const { db } = (await indexFolders(engine, [folder])).store;
    const dimensions = await db.selectFrom("trialDimensions").select(["position", "name", "share"]).execute();
    expect(dimensions).toEqual([
      { position: 0, name: "voltage_drop_v", share: 0.95 },
      { position: 1, name: "voltage_drop_v", share: 0.95 },
    ]);
    const tags = await db.selectFrom("trialTags").select(["position", "category", "source"]).execute();
    expect(tags).toEqual([{ position: 1, category: "unit mismatch", source: "mechanical" }]);
    const judgments = await db
      .selectFrom("recordedJudgments")
      .select(["position", "record"])
      .orderBy("ordinal")
      .execute();
    const said = judgments.map(({ position, record }) => ({ position, ...decodeValue(record) }));
    expect(said.map(({ position, kind, judgment }) => `${position} ${kind} ${judgment ?? ""}`)).toEqual([
      "1 adjudication fail",
      "1 feedback pass",
      "1 feedback fail",
      "1 evaluation fail",
      "1 triage fail",
    ]);
  });
});

describeEngines("judgments in files", (engine) => {
  it("are read a page at a time, newest first, with their trials", async () => {
    const { store } = await indexFolders(engine, [makeFolder(WRITTEN)]);
    const first = await readRecordedJudgments(store, null, { from: 0, limit: 3 });
    expect(first).toMatchObject({ nMatching: 5, nBefore: 0 });
    expect(first.rows.map(({ judgment, key, reward }) => [judgment.kind, key, reward])).toEqual([
      ["adjudication", "trial-001", "0.93"],
      ["feedback", "trial-001", "0.93"],
      ["feedback", "trial-001", "0.93"],
    ]);
    const second = await readRecordedJudgments(store, null, { from: 3, limit: 3 });
    expect(second.rows.map(({ judgment }) => judgment.kind)).toEqual(["evaluation", "triage"]);
    expect(await readRecordedTotals(store)).toEqual({ nJudgments: 5, nTrials: 1 });
    expect(await readRecordedTotals(store, "another job")).toEqual({ nJudgments: 0, nTrials: 0 });
    expect((await readHead(store, "experiment-001"))?.recordedJudgments).toEqual({
      nJudgments: 5,
      nTrials: 1,
    });
  });
});
