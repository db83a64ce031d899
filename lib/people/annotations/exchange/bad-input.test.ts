import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

import type { DatabaseTarget } from "@/lib/store/database";
import { describeEngines, freshSqlite } from "@/lib/store/database/postgres.fixture";
import { bundleAnnotations } from "@/lib/testing/bundle.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";
import { IS_LONG_RUN, planRuns } from "@/lib/testing/plan-runs";

import {
  addImportPart,
  type AnnotationStore,
  beginImport,
  importAnnotations,
  openAnnotationStore,
  prepareExport,
  prepareReviewerFiles,
  readExport,
  readStagedImport,
} from "../index";
import { NO_ACTOR } from "../owner";
import { IMPORT_LIMITS } from "./gather";
import { line, text } from "./lines.fixture";

const many = (count: number) =>
  text(
    ...Array.from({ length: count }, (_, index) =>
      line({ version_id: `v${index}`, trial_name: `t${index}` }),
    ),
  );

const openStore = (target: DatabaseTarget): AnnotationStore => {
  const store = openAnnotationStore(target);
  onTestFinished(() => store.close());
  return store;
};

const run = (store: AnnotationStore, content: string | Uint8Array, isDryRun = false) =>
  importAnnotations(
    store,
    [
      {
        name: "in.jsonl",
        bytes: [typeof content === "string" ? new TextEncoder().encode(content) : content],
      },
    ],
    { isDryRun, actor: NO_ACTOR },
    new Date("2026-06-01T00:00:00Z"),
  );

const exportLines = async (store: AnnotationStore) => [
  ...(await prepareExport(store, { history: true })).lines,
];

describe("a file that is wrong", () => {
  let store: AnnotationStore;
  beforeEach(() => {
    store = openStore(freshSqlite());
  });

  it.each([
    ["an empty file", "", 1, "The file is empty."],
    ["a blank file", "\n \n", 1, "The file is empty."],
    ["another file", "PK\u0003\u0004 not json\n", 1, "not JSON"],
    ["JSON of something else", text(line(), { id: 1, labels: [] }), 2, "no schema"],
    ["a later schema", text(line({ schema: "assay.annotation/9" })), 1, "assay.annotation/9"],
    ["a number", "17\n", 1, "no schema"],
    ["a cut line", text(line()) + JSON.stringify(line({ version_id: "v2" })).slice(0, 200), 2, "cut off"],
    ["a note of 1 MB", text(line({ notes: "n".repeat(1_000_000) })), 1, "notes: At most 20,000 characters."],
    [
      "10,000 categories",
      text(line({ categories: Array.from({ length: 10_000 }, (_, index) => `c${index}`) })),
      1,
      "categories: At most 32 categories.",
    ],
    ["a line without an end", "x".repeat(3 * 1024 * 1024), 1, "2,097,152"],
    ["a number for a text", text(line({ trial_name: 7 })), 1, "trial_name: Expected text, found 7."],
    ["no job", text(line({ job_name: undefined })), 1, "job_name: It is missing. Expected text."],
    [
      "an outcome nobody knows",
      text(line({ outcome_seen: "won" })),
      1,
      /^outcome_seen: Expected one of "passed", .*, found "won"\.$/,
    ],
    [
      "evidence that is none",
      text(line({ evidence: [{ kind: "step", place: "3", line: "x" }] })),
      1,
      'evidence.0.line: Expected a number, found "x".',
    ],
    [
      "fewer ids than categories",
      text(line({ categories: ["a", "b"], category_ids: ["x"] })),
      1,
      "category_ids: Expected one id, or null, for each of the 2 categories, found 1.",
    ],
    ["more ids than categories", text(line({ category_ids: ["x"] })), 1, "category_ids: Expected one id"],
    [
      "a fingerprint that is none",
      text(line({ fingerprint: "<b>" })),
      1,
      "fingerprint: Expected null or a fingerprint",
    ],
    [
      "a reviewer nobody sees",
      text(line({ reviewer_id: "\u200b" })),
      1,
      "reviewer_id: The name has only invisible characters",
    ],
    [
      "a category that turns text",
      text(line({ categories: ["a\u202eb"] })),
      1,
      "categories.0: The name has the invisible character U+202E",
    ],
    ["no reviewer", text(line({ reviewer_id: " \u00a0 " })), 1, "reviewer_id: It has no name."],
    [
      "an empty id of a category",
      text(line({ categories: ["own"], category_ids: [""] })),
      1,
      "category_ids.0:",
    ],
    [
      "a long id of a category",
      text(line({ categories: ["own"], category_ids: ["x".repeat(101)] })),
      1,
      "category_ids.0: At most 100 characters.",
    ],
    [
      "a name of a category that is longer where it is composed",
      text(line({ categories: ["\u0958".repeat(41)] })),
      1,
      "categories.0: At most 80 characters.",
    ],
    ["no time", text(line({ timestamp: "yesterday" })), 1, "timestamp: Not a time in UTC"],
    [
      "a time of some zone",
      text(line({ timestamp: "2026-03-01T09:30:00+02:00" })),
      1,
      "timestamp: Not a time",
    ],
    ["a judgment nobody knows", text(line({ judgment: "maybe" })), 1, "judgment:"],
    ["a withdrawal without its time", text(line({ status: "withdrawn" })), 1, "withdrawn_at:"],
    ["an id twice", text(line(), line({ judgment: "pass" })), 2, "Line 1 of in.jsonl uses the id v1"],
    [
      "an id for two events",
      text(
        line({ status: "withdrawn", withdrawn_at: "2026-03-02T09:30:00.000Z", withdrawal_id: "w" }),
        line({ version_id: "w", trial_name: "other" }),
      ),
      2,
      "Line 1 of in.jsonl uses the id w",
    ],
  ])("%s is named with its line, and nothing is stored", async (_, content, where, message) => {
    const report = await run(
      store,
      text(line({ version_id: "good", trial_name: "good" })).slice(0, 0) + content,
    );
    expect(report.state).toBe("refused");
    expect(report.errors[0]).toMatchObject({ file: "in.jsonl", line: where });
    expect(report.errors[0]?.message).toEqual(
      typeof message === "string" ? expect.stringContaining(message) : expect.stringMatching(message),
    );
    expect(await exportLines(store)).toEqual([]);
  });

  it("is named with the byte that is no UTF-8, cut anywhere into pieces", async () => {
    const good = new TextEncoder().encode(text(line({ notes: "grün" })));
    const bad = new TextEncoder().encode(text(line({ version_id: "v2", trial_name: "t2", notes: "X" })));
    const at = bad.indexOf("X".charCodeAt(0), 300);
    bad[at] = 0xff;
    const all = Buffer.concat([good, bad]);
    for (const size of [1, 7, 1000]) {
      const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
        all.subarray(index * size, (index + 1) * size),
      );
      const report = await importAnnotations(store, [{ name: "a.jsonl", bytes: pieces }], {
        isDryRun: false,
        actor: NO_ACTOR,
      });
      expect(report).toMatchObject({ state: "refused", nErrors: 1, nNew: 1 });
      expect(report.errors[0]).toMatchObject({ line: 2 });
      expect(report.errors[0]?.message).toContain(`Byte ${String(at + 1)} `);
    }
  });

  it("names the first hundred lines of many, and counts all", async () => {
    const report = await run(store, "x\n".repeat(2_500));
    expect(report.errors).toHaveLength(100);
    expect(report).toMatchObject({ nErrors: 2_500, nLines: 2_500, state: "refused" });
  });

  it("of nothing but lines is refused", async () => {
    await expect(run(store, "\n".repeat(300_000))).rejects.toThrow("in.jsonl has more than 200,000 lines");
  });

  it("that is too large is refused before it is held", async () => {
    let nPieces = 0;
    const endless = (function* () {
      for (;;) {
        nPieces += 1;
        yield new Uint8Array(1024 * 1024).fill(0x61);
      }
    })();
    const work = importAnnotations(store, [{ name: "big", bytes: endless }], {
      isDryRun: true,
      actor: NO_ACTOR,
    });
    await expect(work).rejects.toThrow("67,108,864 bytes");
    expect(nPieces).toBe(IMPORT_LIMITS.bytes / 1024 / 1024 + 1);
    const key = { id: beginImport(null), owner: null };
    const base64 = Buffer.alloc(128 * 1024).toString("base64");
    const send = () => {
      for (let part = 0; part <= 512; part++) addImportPart(key, { file: 0, name: "big", base64 });
    };
    expect(send).toThrow("67,108,864 bytes");
    expect(() => readStagedImport(key)).toThrow("Choose them again");
  });
});

describe("files that are sent in parts", () => {
  it("are held for a quarter of an hour, two imports at once", () => {
    const first = { id: beginImport(null, 0), owner: null };
    addImportPart(first, { file: 1, name: "b", base64: "YWI=" }, 1);
    expect(readStagedImport(first, 2).map(({ name }) => name)).toEqual(["b", "b"]);
    const second = { id: beginImport(null, 3), owner: null };
    const third = { id: beginImport(null, 4), owner: null };
    expect(() => readStagedImport(first, 5)).toThrow("no longer available");
    expect(readStagedImport(third, 6)).toEqual([]);
    expect(() => readStagedImport(second, 20 * 60 * 1000)).toThrow("no longer available");
  });
});

describe("what is unusual", () => {
  it("keeps times as stated, going back and still to come, and counts versions by their numbers", async () => {
    const store = openStore(freshSqlite());
    const lines = [
      line({ status: "superseded", timestamp: "2099-01-01T00:00:00.000Z" }),
      line({ version_id: "v2", version: 2, timestamp: "1999-01-01T00:00:00.000Z", judgment: "pass" }),
    ];
    const report = await run(store, text(...lines.toReversed()));
    expect(report).toMatchObject({ nNew: 2, nErrors: 0 });
    expect(report.notes.join(" ")).toContain("in the future");
    expect((await exportLines(store)).map((one) => JSON.parse(one) as object)).toMatchObject([
      { version_id: "v1", version: 1, status: "superseded", timestamp: "2099-01-01T00:00:00.000Z" },
      { version_id: "v2", version: 2, status: "current", timestamp: "1999-01-01T00:00:00.000Z" },
    ]);
  });

  it("counts what another store could not read", async () => {
    const store = openStore(freshSqlite());
    const report = await run(
      store,
      text(
        line(),
        { schema: "assay.annotation-unreadable/1", row: 4 },
        { schema: "assay.annotations-damaged/1" },
      ),
    );
    expect(report).toMatchObject({ nNew: 1, nErrors: 0 });
    expect(report.notes).toHaveLength(2);
  });

  it("takes lines of earlier releases, with line ends and a mark of other systems", async () => {
    const store = openStore(freshSqlite());
    expect(await run(store, `\uFEFF${text(line()).replace("\n", "\r\n")}`)).toMatchObject({
      state: "done",
      nNew: 1,
    });
    expect(await run(store, text(line()))).toMatchObject({ nNew: 0, nKnown: 1 });
  });

  it("does not put older versions before later ones that are here", async () => {
    const store = openStore(freshSqlite());
    const v2 = line({ version_id: "v2", version: 2, judgment: "pass" });
    await run(store, text(v2));
    const report = await run(store, text(line({ status: "superseded" }), v2));
    expect(report).toMatchObject({ nNew: 0, nKnown: 1, nOlder: 1, nConflicts: 0 });
  });

  const N_LINES = IS_LONG_RUN ? 100_000 : 3_000;

  it(`takes ${N_LINES.toLocaleString("en-US")} lines`, async () => {
    const store = openStore(freshSqlite());
    const content = new TextEncoder().encode(many(N_LINES));
    expect(await run(store, content)).toMatchObject({ state: "done", nNew: N_LINES });
    expect(await run(store, content, true)).toMatchObject({ nNew: 0, nKnown: N_LINES });
  });
});

/** A process that imports a file through this very code, and says a letter for every statement that writes. */
async function startImport(target: DatabaseTarget, file: string) {
  const folder = mkdtempSync(join(tmpdir(), "import-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, "import.mjs");
  writeFileSync(
    script,
    `import { createReadStream } from "node:fs";
     import { openAnnotationStore, importAnnotations } from ${JSON.stringify(await bundleAnnotations())};
     const store = openAnnotationStore(${JSON.stringify(target)});
     const say = (db) => new Proxy(db, { get: (of, name) => {
       if (name === "insertInto") process.stdout.write("i");
       const value = of[name];
       return typeof value === "function" ? value.bind(of) : value;
     } });
     const watched = { ...store, write: (work) => store.write((db) => work(say(db))) };
     const files = [{ name: "in", bytes: createReadStream(${JSON.stringify(file)}) }];
     await importAnnotations(watched, files, { isDryRun: false, actor: { browserKeyHash: null, isAdmin: false } });
     process.stdout.write("done\\n");`,
  );
  const child = spawn(process.execPath, ["--no-warnings", script], { stdio: ["ignore", "pipe", "inherit"] });
  const exit = new Promise<void>((settle) => child.once("close", () => settle()));
  let nStatements = 0;
  const writes = (count: number) =>
    new Promise<void>((settle) => {
      child.stdout.on("data", (said: Buffer) => {
        nStatements += said.length;
        if (nStatements >= count) settle();
      });
    });
  return { child, exit, writes };
}

describeEngines("an import that is killed", (engine) => {
  const kills = planRuns({ short: 1, long: 60 });

  itLong(engine.name === "sqlite")(
    "leaves everything or nothing, and the next one works",
    async () => {
      const N_LINES = 4_000;
      const folder = mkdtempSync(join(tmpdir(), "kill-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const file = join(folder, "in.jsonl");
      writeFileSync(file, many(N_LINES));
      for (let kill = 1; kill <= kills.numRuns; kill++) {
        const target = await engine.freshTarget();
        const store = openStore(target);
        await run(store, text(line({ version_id: "before", trial_name: "before" })));
        const { child, exit, writes } = await startImport(target, file);
        // Of about forty statements, at another place each time.
        await writes(1 + ((kill * 17) % 40));
        child.kill("SIGKILL");
        await exit;
        const found = (await exportLines(store)).length;
        expect([1, N_LINES + 1]).toContain(found);
        expect(await run(store, many(N_LINES))).toMatchObject({ state: "done", nConflicts: 0 });
        expect(await exportLines(store)).toHaveLength(N_LINES + 1);
      }
    },
    120_000,
  );
});

describe("one file a reviewer", () => {
  it("merges in git: two people, and one person in two places", async () => {
    const folder = mkdtempSync(join(tmpdir(), "merge-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
        cwd: folder,
        encoding: "utf8",
      });
    const writeAll = async (store: AnnotationStore) => {
      for (const { name, text: content } of prepareReviewerFiles(await readExport(store, { history: true })))
        writeFileSync(join(folder, name), content);
      git("add", "-A");
      git("commit", "-qm", "judgments");
    };
    const judged = (who: string, trial: number, change: object = {}) =>
      line({ reviewer_id: who, trial_name: `t${trial}`, version_id: `${who}-${trial}`, ...change });
    const base = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((trial) => [judged("Ana", trial), judged("Bo", trial)]);
    const replaced = (who: string, trial: number) => [
      judged(who, trial, { status: "superseded" }),
      judged(who, trial, { version: 2, version_id: `${who}-${trial}-2`, judgment: "pass" }),
    ];
    const [shared, left, right] = [
      openStore(freshSqlite()),
      openStore(freshSqlite()),
      openStore(freshSqlite()),
    ];
    for (const store of [shared, left, right]) await run(store, text(...base));
    git("init", "-q", "-b", "main");
    await writeAll(shared);
    git("checkout", "-qb", "left");
    await run(left, text(...replaced("Ana", 2), judged("Ana", 0)));
    await writeAll(left);
    git("checkout", "-q", "main");
    await run(right, text(...replaced("Bo", 2), ...replaced("Ana", 8)));
    await writeAll(right);
    git("merge", "-q", "--no-edit", "left");
    const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    expect(files).toHaveLength(2);
    const paths = files.map((name) => ({ name, bytes: [Buffer.from(git("show", `HEAD:${name}`))] }));
    expect(await importAnnotations(shared, paths, { isDryRun: false, actor: NO_ACTOR })).toMatchObject({
      state: "done",
      nNew: 4,
      nErrors: 0,
      nConflicts: 0,
    });
    // And the merged files are what the store that has everything writes.
    for (const { name, text: content } of prepareReviewerFiles(await readExport(shared, { history: true })))
      expect(git("show", `HEAD:${name}`)).toBe(content);
  });

  it("has a safe name that no other reviewer has", async () => {
    const store = openStore(freshSqlite());
    const names = [
      "Ana",
      "../../etc/passwd",
      "Ana!",
      "李雷",
      "李 雷",
      "a".repeat(80),
      `${"a".repeat(79)}b`,
      ".git",
      "CON",
    ];
    await run(
      store,
      text(
        ...names.map((name, index) =>
          line({ reviewer_id: name, version_id: `v${index}`, trial_name: `t${index}` }),
        ),
      ),
    );
    const files = prepareReviewerFiles(await readExport(store, { history: true })).map(({ name }) => name);
    expect(new Set(files.map((name) => name.toLowerCase())).size).toBe(names.length);
    for (const name of files) expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,60}\.jsonl$/);
  });
});
