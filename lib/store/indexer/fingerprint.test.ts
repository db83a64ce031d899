import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { describeChange, type TrialFingerprint } from "@/lib/core/domain/fingerprint";
import { EXPERIMENT, SECOND, secondRecord, WRITTEN } from "@/lib/read/loader/ledger/ledger.fixture";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { type IndexStore, readFingerprint, readHead, readTrialPlaces } from "@/lib/store/tables";
import {
  type FolderFiles,
  jobFiles,
  makeFolder,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";
import { indexFolders, makeDataFolder, openHere } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";
const C = "gamma__ccccccc";
const NAMES = [A, B, C];
const ATIF = "agent/trajectory.json";
const SESSION = "agent/sessions/projects/-app/s.jsonl";

const session = (text: string) =>
  `${JSON.stringify({
    type: "user",
    uuid: "u",
    parentUuid: null,
    sessionId: "s",
    timestamp: "2026-05-01T17:02:00Z",
    message: { role: "user", content: text },
  })}\n`;

/** Three finished trials: one with a trajectory in its usual place, one with a log deep below, one with none. */
function makeFiles(): FolderFiles {
  return {
    ...jobFiles("run", { [A]: 1, [B]: 0, [C]: 0 }),
    [`run/${A}/${ATIF}`]: {
      schema_version: "ATIF-v1.6",
      session_id: "s",
      agent: { name: "orca", version: "1" },
      steps: [{ step_id: 1, source: "agent", message: "It is done." }],
    },
    [`run/${B}/${SESSION}`]: session("Make it."),
  };
}

const digest = (content: string | Buffer) => createHash("sha256").update(content).digest("hex").slice(0, 32);

/** The expected result for a folder, computed from its files alone. */
function expectFingerprint(folder: string, name: string, files: readonly string[]): TrialFingerprint {
  const own = (file: string) => digest(readFileSync(join(folder, name, file)));
  return {
    result: own("result.json"),
    trajectory: digest(JSON.stringify(files.map((file) => [file, own(file)]))),
  };
}

async function readAll(store: IndexStore): Promise<readonly (readonly [string, TrialFingerprint])[]> {
  const places = await readTrialPlaces(store, NAMES);
  for (const { jobRowId, key, fingerprint } of places)
    expect(await readFingerprint(store, jobRowId, key)).toEqual(fingerprint);
  return places
    .map(({ trialName, fingerprint }) => [trialName, fingerprint] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

async function readOne(store: IndexStore, name: string): Promise<TrialFingerprint> {
  const [place] = await readTrialPlaces(store, [name]);
  if (place === undefined) throw new Error(`${name} is not there`);
  return place.fingerprint;
}

/** Writes over one byte, so that the size stays as it is. */
function changeByte(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  expect(text.split(from).length).toBe(2);
  writeFileSync(path, text.replace(from, to));
  utimesSync(path, new Date(), new Date(Date.now() + 5000));
}

describeEngines("the fingerprint of a trial", (engine) => {
  itLong(engine.name === "sqlite")(
    "covers result and trajectory, and is the same for any folder and file times",
    async () => {
      const folder = makeFolder(makeFiles());
      const index = await indexFolders(engine, [folder]);
      const { store } = index;
      const before = await readAll(store);
      expect(before).toEqual([
        [A, expectFingerprint(join(folder, "run"), A, [ATIF])],
        [B, expectFingerprint(join(folder, "run"), B, [SESSION])],
        [C, expectFingerprint(join(folder, "run"), C, [])],
      ]);
      expect(await readFingerprint(store, (await readHead(store, "run"))?.rowId ?? 0, "nobody")).toBeNull();

      const update = async () => {
        await index.rescan();
        await index.settle();
        return readAll(store);
      };
      renameSync(join(folder, "run"), join(folder, "renamed"));
      expect(await update()).toEqual(before);
      mkdirSync(join(folder, "deep/er"), { recursive: true });
      renameSync(join(folder, "renamed"), join(folder, "deep/er/run"));
      expect(await update()).toEqual(before);
      cpSync(join(folder, "deep/er/run"), join(folder, "copy"), {
        recursive: true,
        preserveTimestamps: false,
      });
      expect(await update()).toEqual(before.flatMap((one) => [one, one]));
      rmSync(join(folder, "deep"), { recursive: true });
      expect(await update()).toEqual(before);
      const other = makeFolder({}, "elsewhere");
      renameSync(join(folder, "copy"), join(other, "run"));
      expect(await readAll((await indexFolders(engine, [other])).store)).toEqual(before);
    },
  );

  it("changes with one byte of the result or of the trajectory, and of no other trial", async () => {
    const folder = makeFolder(makeFiles());
    const index = await indexFolders(engine, [folder]);
    const { store } = index;
    const before = new Map(await readAll(store));
    const compare = async () => {
      await index.rescan();
      await index.settle();
      const after = await readAll(store);
      return after.map(([name, now]) => describeChange(before.get(name) ?? now, now));
    };
    changeByte(join(folder, "run", A, "result.json"), '"n_input_tokens": 10', '"n_input_tokens": 11');
    expect(await compare()).toEqual(["changed: result", "unchanged", "unchanged"]);
    changeByte(join(folder, "run", B, SESSION), "Make it.", "Make it!");
    expect(await compare()).toEqual(["changed: result", "changed: trajectory", "unchanged"]);
    changeByte(join(folder, "run", A, ATIF), "It is done.", "It is gone.");
    writeFiles(folder, { [`run/${C}/${SESSION}`]: session("Late.") });
    expect(await compare()).toEqual([
      "changed: result and trajectory",
      "changed: trajectory",
      "changed: trajectory",
    ]);
    expect(await readOne(store, A)).toEqual(expectFingerprint(join(folder, "run"), A, [ATIF]));
  });

  itLong(engine.name === "sqlite")(
    "stays known of trials that are not read again, and is not known of one that runs",
    async () => {
      const folder = makeFolder(makeFiles());
      const index = await indexFolders(engine, [folder]);
      const before = await readAll(index.store);
      writeFiles(folder, {
        "run/aaa__ddddddd/config.json": { trial_name: "aaa__ddddddd" },
        [`run/aaa__ddddddd/${SESSION}`]: session("Go."),
      });
      await index.refresh();
      await index.settle();
      expect(await readAll(index.store)).toEqual(before);
      expect(await readOne(index.store, "aaa__ddddddd")).toEqual({ result: null, trajectory: null });
      writeFiles(folder, { "run/aaa__ddddddd/result.json": trialResult("aaa__ddddddd", 1) });
      await index.refresh();
      await index.settle();
      expect(await readOne(index.store, "aaa__ddddddd")).toEqual(
        expectFingerprint(join(folder, "run"), "aaa__ddddddd", [SESSION]),
      );
    },
  );

  itLong(engine.name === "sqlite")(
    "of a ledger's trial is that of its record, which has no trajectory",
    async () => {
      const folder = makeFolder(WRITTEN);
      const index = await indexFolders(engine, [folder]);
      const before = await readOne(index.store, "trial-001");
      expect(before).toEqual({
        result: digest(readFileSync(join(folder, SECOND))),
        trajectory: digest("[]"),
      });
      renameSync(join(folder, EXPERIMENT), join(folder, `${EXPERIMENT}-moved`));
      await index.refresh();
      await index.settle();
      expect(await readOne(index.store, "trial-001")).toEqual(before);
      renameSync(join(folder, `${EXPERIMENT}-moved`), join(folder, EXPERIMENT));
      writeFiles(folder, { [SECOND]: secondRecord({ completed_at: "2027-01-01T00:00:00Z" }) });
      await index.refresh();
      await index.settle();
      expect(describeChange(before, await readOne(index.store, "trial-001"))).toBe("changed: result");
    },
  );
});

it("is known to a program that starts later, and of the result before any trajectory was read", async () => {
  const folder = makeFolder(makeFiles());
  const data = makeDataFolder();
  const first = await openHere([folder], data);
  await first.refresh();
  // Texts are read in the background once results are.
  const [, early] = (await readAll(first.store))[0] ?? [];
  const whole = expectFingerprint(join(folder, "run"), A, [ATIF]);
  expect(early?.result).toBe(whole.result);
  expect([null, whole.trajectory]).toContain(early?.trajectory);
  await first.settle();
  await first.close();
  const second = await openHere([folder], data);
  await second.refresh();
  await second.settle();
  expect(await readOne(second.store, A)).toEqual(whole);
});
