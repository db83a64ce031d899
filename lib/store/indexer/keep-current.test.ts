import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";

import { describe, expect, it, onTestFinished } from "vitest";

import { readAllTrials, readHead } from "@/lib/store/tables";
import { jobFiles, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { makeDataFolder, openHere } from "@/lib/testing/index.fixture";

import { Indexer, type ScanScope } from "./indexer";
import { type Clock, CurrentKeeper, FolderWatch } from "./keep-current";
import { SourceReader } from "./reader";

/** A clock that only moves when told. */
class TestClock implements Clock {
  private atMs = 0;
  private readonly waiting = new Map<() => void, number>();

  now = () => this.atMs;

  after = (ms: number, run: () => void) => {
    this.waiting.set(run, this.atMs + ms);
    return () => this.waiting.delete(run);
  };

  isIdle = () => this.waiting.size === 0;

  /** Moves on, calling what is due on the way and letting it finish. */
  async pass(ms: number): Promise<void> {
    const endMs = this.atMs + ms;
    for (;;) {
      const [next] = [...this.waiting].sort(([, a], [, b]) => a - b);
      if (next === undefined || next[1] > endMs) break;
      const [run, dueMs] = next;
      this.atMs = Math.max(this.atMs, dueMs);
      this.waiting.delete(run);
      run();
      await new Promise((settle) => setImmediate(settle));
    }
    this.atMs = endMs;
  }
}

function keep(scanMs: number) {
  const clock = new TestClock();
  const scopes: ScanScope[] = [];
  const events = new Map<string, () => void>();
  const scanner = {
    scanMs,
    scan: (scope: ScanScope) => {
      scopes.push(scope);
      return Promise.resolve();
    },
    listWatchedFolders: () => ["/jobs", "/jobs/run"],
  };
  const keeper = new CurrentKeeper(scanner, clock, (folder, onEvent) => {
    events.set(folder, onEvent);
    return { close: () => events.delete(folder), on: () => undefined as never };
  });
  onTestFinished(() => keeper.close());
  const change = (folder: string) => events.get(folder)?.();
  return { clock, scopes, keeper, change };
}

describe("scanning at the folders", () => {
  it("costs nothing while no page is open", async () => {
    const { clock, scopes, keeper, change } = keep(0);
    await keeper.refresh();
    await keeper.scanIfDue();
    await clock.pass(21_000);
    expect(scopes.length).toBeGreaterThan(5);
    const before = scopes.length;
    await clock.pass(24 * 3600 * 1000);
    expect(clock.isIdle()).toBe(true);
    expect(scopes).toHaveLength(before);
    change("/jobs/run");
    change("/jobs/run");
    await clock.pass(3600 * 1000);
    expect(clock.isIdle()).toBe(true);
    expect(scopes).toHaveLength(before);
    // The next reader waits for the folders to be checked.
    await keeper.scanIfDue();
    expect(scopes).toHaveLength(before + 1);
  });

  it("is shared by all who look at once", async () => {
    const { scopes, keeper } = keep(0);
    await Promise.all(Array.from({ length: 50 }, () => keeper.scanIfDue()));
    await Promise.all(Array.from({ length: 50 }, () => keeper.scanIfDue()));
    expect(scopes).toEqual(["all"]);
  });

  it("takes a small part of the time where it takes long", async () => {
    const { clock, scopes, keeper } = keep(700);
    await keeper.scanIfDue();
    for (let second = 0; second < 60; second++) {
      await clock.pass(1000);
      await keeper.scanIfDue();
    }
    // 700 ms every 14 seconds.
    expect(scopes).toHaveLength(5);
  });

  it("is done soon after the system tells of changes, once for a burst, and of those folders alone", async () => {
    const { clock, scopes, keeper, change } = keep(10_000);
    await keeper.scanIfDue();
    await clock.pass(1000);
    for (let write = 0; write < 30; write++) {
      change("/jobs/run");
      await clock.pass(2);
    }
    await clock.pass(200);
    expect(scopes).toEqual(["all", new Set(["/jobs/run"])]);
    change("/jobs");
    await keeper.scanIfDue();
    expect(scopes.at(-1)).toEqual(new Set(["/jobs"]));
  });

  it("happens at once on request, with a retry of failures", async () => {
    const { scopes, keeper } = keep(0);
    await keeper.scanIfDue();
    await keeper.refresh();
    await keeper.scanIfDue();
    expect(scopes).toEqual(["all", "retry"]);
  });

  it("ends with the program", async () => {
    const { clock, scopes, keeper, change } = keep(0);
    const scanning = keeper.scanIfDue();
    keeper.close();
    await scanning;
    change("/jobs");
    await clock.pass(60_000);
    expect(scopes).toHaveLength(1);
    expect(clock.isIdle()).toBe(true);
  });
});

/** Settles when a watch tells of a change. */
function waitForChange(folders: readonly string[]) {
  let heard: (folder: string) => void = () => undefined;
  const watch = new FolderWatch((folder) => heard(folder));
  onTestFinished(() => watch.close());
  watch.update(folders);
  const next = () => new Promise<string>((settle) => (heard = settle));
  return { watch, next };
}

describe("watching folders", () => {
  it("tells of entries that come, go and are rewritten", async () => {
    const folder = makeFolder({ "run/result.json": "{}", "other/": "" });
    const { next, watch } = waitForChange([`${folder}/run`]);
    for (const act of [
      () => mkdirSync(`${folder}/run/trial__aaaaaaa`),
      () => writeFileSync(`${folder}/run/result.json`, "[]"),
      () => renameSync(`${folder}/run/trial__aaaaaaa`, `${folder}/run/trial__bbbbbbb`),
      () => rmSync(`${folder}/run/trial__bbbbbbb`, { recursive: true }),
    ]) {
      const change = next();
      act();
      expect(await change).toBe(`${folder}/run`);
    }
    watch.update([`${folder}/other`]);
    const change = next();
    writeFileSync(`${folder}/run/result.json`, "{}");
    writeFileSync(`${folder}/other/file`, "");
    expect(await change).toBe(`${folder}/other`);
  });

  it("continues for a folder that vanished and came back", async () => {
    const folder = makeFolder({ "run/result.json": "{}" });
    const { next, watch } = waitForChange([folder]);
    const gone = next();
    rmSync(folder, { recursive: true });
    await gone;
    watch.update([folder]);
    mkdirSync(folder);
    watch.update([folder]);
    const change = next();
    writeFileSync(`${folder}/file`, "");
    expect(await change).toBe(folder);
  });

  it.each(["ENOSPC", "EMFILE"])(
    "leaves the rest to polling when the system has no room for more (%s)",
    (code) => {
      const watched: string[] = [];
      const asked: string[] = [];
      const watch = new FolderWatch(
        () => undefined,
        (folder) => {
          asked.push(folder);
          if (watched.length === 2) throw Object.assign(new Error("no room"), { code });
          watched.push(folder);
          return {
            close: () => void watched.splice(watched.indexOf(folder), 1),
            on: () => undefined as never,
          };
        },
      );
      watch.update(["/a", "/b", "/c", "/d"]);
      expect(asked).toEqual(["/a", "/b", "/c"]);
      watch.update(["/a", "/b", "/c", "/d"]);
      expect(asked).toHaveLength(3);
      watch.close();
      expect(watched).toEqual([]);
    },
  );

  it("does not mind a folder that is not there or may not be watched", () => {
    const { watch } = waitForChange(["/nowhere/at/all"]);
    expect(() => watch.update(["/nowhere/at/all", "/nowhere/else"])).not.toThrow();
  });
});

it("a change is in the index soon after it was made, without anybody asking for it", async () => {
  const trial = "alpha__aaaaaaa";
  const folder = makeFolder(jobFiles("run", { [trial]: 1 }));
  const { store, roots } = await openHere([folder], makeDataFolder());
  const reader = new SourceReader(store);
  let onGeneration: (generation: number) => void = () => undefined;
  const indexer = new Indexer({
    store,
    roots,
    summation: "cpython-3.12",
    withDerivedDetails: true,
    dataFolder: "",
    now: Date.now,
    onStatus: ({ phase, generation }) => {
      if (phase === "current") onGeneration(generation);
    },
    executor: reader,
  });
  const keeper = new CurrentKeeper(indexer);
  onTestFinished(() => keeper.close());
  await keeper.scanIfDue();
  // Searchable texts have a generation of their own.
  await indexer.settle();
  const { generation } = indexer.status;
  const next = new Promise<void>(
    (settle) =>
      (onGeneration = (seen) => {
        if (seen > generation) settle();
      }),
  );
  writeFiles(folder, { "run/gamma__ccccccc/result.json": trialResult("gamma__ccccccc", 1) });
  await next;
  const job = await readHead(store, "run");
  expect(await readAllTrials(store, job?.rowId ?? 0)).toHaveLength(2);
});
