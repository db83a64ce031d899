import { expect, it, onTestFinished, vi } from "vitest";

import { StoreError } from "@/lib/core/domain/app-error";
import { readAllTrials, readHead } from "@/lib/store/tables";
import { jobFiles, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { dumpFresh, dumpIndex, makeDataFolder, openHere } from "@/lib/testing/index.fixture";

import { Indexer, type ScanScope } from "./indexer";
import { SourceReader } from "./reader";

const TRIAL = "alpha__aaaaaaa";

/** An indexer that waits for no reading, and whose readings of the job `long` end when they are told to. */
async function openWithLongJob() {
  const folder = makeFolder({
    ...jobFiles("long", { [TRIAL]: 1 }),
    ...jobFiles("short", { [TRIAL]: 1 }, { id: "short" }),
  });
  const { store, roots } = await openHere([folder], makeDataFolder());
  const reader = new SourceReader(store);
  const readings: { readonly goOn: () => void; readonly fail: (error: Error) => void }[] = [];
  const indexer = new Indexer({
    store,
    roots,
    summation: "cpython-3.12",
    withDerivedDetails: true,
    dataFolder: "",
    now: Date.now,
    patienceMs: 0,
    onStatus: () => undefined,
    executor: {
      run: async (request, onTrials) => {
        if (request.kind === "read" && request.task.discovered.folder === "long")
          await new Promise<void>((settle, fail) => readings.push({ goOn: () => settle(), fail }));
        return reader.run(request, onTrials);
      },
    },
  });
  onTestFinished(() => indexer.release());
  const listTrials = async (job: string) => {
    const head = await readHead(store, job);
    return head?.isRead === true
      ? (await readAllTrials(store, head.rowId)).map(({ trialName, outcome }) => `${trialName} ${outcome}`)
      : "unread";
  };
  /** Scans until the outcomes of the short job are these, which a scan without patience may leave to a later one. */
  const scanFor = (outcomes: readonly string[]) =>
    vi.waitFor(async () => {
      await indexer.scan();
      expect(await listTrials("short")).toEqual(outcomes);
    });
  return { folder, store, indexer, readings, listTrials, scanFor };
}

it("changes of other jobs are found while a job takes long, which is left alone until it is read", async () => {
  const { folder, store, indexer, readings, listTrials, scanFor } = await openWithLongJob();
  await scanFor([`${TRIAL} passed`]);
  expect(await listTrials("long")).toBe("unread");
  expect(indexer.status).toMatchObject({ phase: "reading", isComplete: false, failure: null });

  const added = "beta__bbbbbbb";
  writeFiles(folder, { [`short/${added}/result.json`]: trialResult(added, 0) });
  writeFiles(folder, { [`long/${added}/result.json`]: trialResult(added, 0) });
  await scanFor([`${TRIAL} passed`, `${added} failed`]);
  expect(await listTrials("long")).toBe("unread");
  expect(readings).toHaveLength(1);
  const { nTrialsRead, nTrialsToRead } = indexer.status;
  expect(nTrialsRead).toBeLessThanOrEqual(nTrialsToRead);

  // It continues automatically, and reads jobs added meanwhile next.
  readings[0]?.goOn();
  await vi.waitFor(() => expect(readings).toHaveLength(2));
  expect(await listTrials("long")).toEqual([`${TRIAL} passed`]);
  readings[1]?.goOn();
  await indexer.settle();
  expect(indexer.status).toMatchObject({ phase: "current", isComplete: true, failure: null });
  expect(await listTrials("long")).toEqual([`${TRIAL} passed`, `${added} failed`]);
  expect(await dumpIndex(store)).toEqual(await dumpFresh([folder]));
});

it("a failure of the index during a long reading is reported by the next scan, and the job is read again", async () => {
  const { indexer, readings, listTrials, scanFor } = await openWithLongJob();
  await scanFor([`${TRIAL} passed`]);
  readings[0]?.fail(new StoreError("store_full", "The disk is full."));
  await vi.waitFor(() =>
    expect(indexer.status).toMatchObject({ phase: "failed", failure: "The disk is full." }),
  );
  await indexer.scan();
  readings[1]?.goOn();
  await indexer.settle();
  expect(await listTrials("long")).toEqual([`${TRIAL} passed`]);
  expect(indexer.status).toMatchObject({ phase: "current", failure: null });
});

it("a job that changes all the time is read for a fifth of the time, and at once on request", async () => {
  const folder = makeFolder(jobFiles("run", { [TRIAL]: 0 }));
  const { store, roots } = await openHere([folder], makeDataFolder());
  const reader = new SourceReader(store);
  let nowMs = Date.UTC(2040, 0);
  let nReadings = 0;
  const indexer = new Indexer({
    store,
    roots,
    summation: "cpython-3.12",
    withDerivedDetails: false,
    dataFolder: "",
    now: () => nowMs,
    onStatus: () => undefined,
    executor: {
      run: async (request, onTrials) => {
        if (request.kind !== "read") return reader.run(request, onTrials);
        nReadings += 1;
        // It waits for other jobs first, which is not its own time.
        nowMs += 60_000;
        onTrials(0);
        nowMs += 10_000;
        return reader.run(request, onTrials);
      },
    },
  });
  onTestFinished(() => indexer.release());
  const changeAndScan = async (scope?: ScanScope) => {
    writeFiles(folder, { [`run/${TRIAL}/result.json`]: trialResult(TRIAL, nReadings) });
    await indexer.scan(scope);
    return nReadings;
  };
  expect(await changeAndScan()).toBe(1);
  nowMs += 39_999;
  expect(await changeAndScan()).toBe(1);
  expect(await changeAndScan(new Set([`${folder}/run`]))).toBe(1);
  nowMs += 1;
  expect(await changeAndScan()).toBe(2);
  expect(await changeAndScan("retry")).toBe(3);
  const [trial] = await readAllTrials(store, (await readHead(store, "run"))?.rowId ?? 0);
  expect(Number(trial?.rewards?.get("reward"))).toBe(2);
});
