import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import Database from "better-sqlite3";
import { sql } from "kysely";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { runCli } from "@/lib/cli/run-cli";
import {
  addAccount,
  COMMAND_LINE,
  createToken,
  invite,
  openAccountStoreOf,
  setFolderRole,
} from "@/lib/people/accounts";
import {
  answerSuggestion,
  createAnnotation,
  createQueue,
  decide,
  importAnnotations,
  nameCluster,
  openAnnotationStore,
  resolveAnnotationTarget,
  takeNext,
  moveItem,
} from "@/lib/people/annotations";
import { SETTINGS, subjectOf } from "@/lib/people/annotations/queues/queue.fixture";
import { openViewStoreOf, saveRunSet, saveView } from "@/lib/people/views";
import { itLong } from "@/lib/testing/it-long.fixture";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";

import {
  EARLIER_VIEWS,
  freshEnvironment,
  freshFile,
  HEADER,
  makeBackup,
  query,
  type Environment,
} from "./backup.fixture";
import { writeBackup } from "./index";

const ACTOR = { browserKeyHash: "a".repeat(64), isAdmin: false };
const NOTE = 'first line\nsecond \u2028 \u{1f600} "quoted" \\ ';
const RULES = "# mine, not even a rule\n";
const SCANNER = "id = 'x'\r\n";

/** Something of everything that Assay keeps, through the verbs that pages call. */
async function fill(environment: Environment): Promise<void> {
  const store = openAnnotationStore(resolveAnnotationTarget(environment));
  const items = [0, 1, 2].map((place) => ({ subject: subjectOf(place), nReviewers: 1 as const }));
  const queueId = await createQueue(store, { settings: SETTINGS, items, author: "Ada" });
  const worker = { queueId, reviewerId: "Ana", actor: ACTOR };
  await moveItem(store, { ...worker, position: 2, kind: "skipped" });
  await takeNext(store, { ...worker, from: null });
  const sources = [];
  for (const [reviewerId, judgment] of [
    ["Ana", "pass"],
    ["Ben", "fail"],
  ] as const) {
    const draft = {
      reviewerId,
      reviewerDiscipline: null,
      judgment,
      categories: ["Odd end"],
      notes: NOTE,
    };
    const input = { subject: subjectOf(7), draft, baseVersionId: null, actor: ACTOR };
    sources.push(await createAnnotation(store, input));
  }
  const decided = {
    finalJudgment: "fail",
    categories: [],
    reason: NOTE,
    basedOn: "a",
    codebookNote: null,
    decidedBy: "Cleo",
  };
  const actor = { ...ACTOR, browserKeyHash: "c".repeat(64) };
  await decide(store, {
    subject: subjectOf(7),
    sources,
    baseDecisionId: null,
    queueId: null,
    actor,
    draft: decided,
  });
  const cluster = { kind: "exception", scope: "AgentTimeoutError", pattern: "timed out" };
  await nameCluster(store, { key: "00112233aabbccdd", name: "Slow", cluster, author: "Ana", base: 0 }, ACTOR);
  const answer = {
    suggester: "rule:agent-timeout",
    version: "1",
    answer: "accepted",
    author: "Ana",
  } as const;
  await answerSuggestion(store, subjectOf(7), answer);
  const tag = JSON.stringify({ trial: "t1", job: "nightly", category: "gave up", source: "my-judge" });
  const report = await importAnnotations(store, [{ name: "in.jsonl", bytes: [Buffer.from(tag)] }], {
    isDryRun: false,
    actor: ACTOR,
  });
  expect(report.nErrors).toBe(0);
  await store.close();
  const views = openViewStoreOf(environment);
  await saveView(views, { name: "Flaky", href: "/jobs/tb2?pattern=flaky", createdBy: "Ada" });
  const members = [{ job: null, jobKey: "base-1", jobName: "base-1", group: "orca__m__d" }];
  await saveRunSet(views, { name: "base", members, createdBy: null });
  await views.close();
  const accounts = openAccountStoreOf(environment);
  const ada = await addAccount(
    accounts,
    { name: "Ada", role: "admin", password: "correct horse" },
    COMMAND_LINE,
  );
  const by = { account: ada, address: "" };
  await invite(accounts, { role: "reviewer" }, by);
  await setFolderRole(accounts, { address: "/srv/jobs", role: "reviewer" }, by);
  await createToken(accounts, { label: "CI", role: "viewer", days: 90 }, by);
  const at = "'2026-01-01T00:00:00.000Z'";
  await accounts.write(async ({ db }) => {
    for (const values of [
      `"session" values ('s', ${at}, 't', ${at}, ${at}, null, null, '${ada.id}')`,
      `"verification" values ('v', 'i', 'x', ${at}, ${at}, ${at})`,
      `"rateLimit" values ('r', 'k', 1, 1700000000000)`,
      `server_secret values (1, 'secret')`,
    ])
      await sql.raw(`insert into ${values}`).execute(db);
  });
  await accounts.close();
  mkdirSync(join(environment["ASSAY_DATA"] ?? "", "scanners"), { recursive: true });
  writeFileSync(join(environment["ASSAY_DATA"] ?? "", "rules.toml"), RULES);
  writeFileSync(join(environment["ASSAY_DATA"] ?? "", "scanners", "mine.toml"), SCANNER);
}

/** Every row of every table, read by other means than Assay's. */
async function dump(environment: Environment): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const tables: Record<string, unknown[]> = {};
  const url = environment["DATABASE_URL"];
  if (url === undefined) {
    for (const name of ["annotations.sqlite", "views.sqlite", "accounts.sqlite"]) {
      if (!existsSync(join(environment["ASSAY_DATA"] ?? "", name))) continue;
      const file = new Database(join(environment["ASSAY_DATA"] ?? "", name), { readonly: true });
      const list = file
        .prepare("select name from sqlite_schema where type = 'table'")
        .pluck()
        .all()
        .map(String);
      for (const table of list) tables[table] = file.prepare(`select * from ${table}`).all();
      file.close();
    }
  } else {
    const list = await query<{ schema: string; name: string }>(
      url,
      "select table_schema as schema, table_name as name from information_schema.tables where table_schema like 'assay%'",
    );
    for (const { schema, name } of list)
      tables[name] = (
        await query<{ row: unknown }>(url, `select to_jsonb(t) as row from "${schema}"."${name}" t`)
      ).map(({ row }) => row);
  }
  return Object.fromEntries(
    Object.entries(tables)
      .filter(([name]) => !/^(?:sqlite|kysely)_/.test(name))
      .map(([name, rows]) => [name, rows.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))]),
  );
}

const sortKey = (row: unknown) => JSON.stringify(Object.entries(row ?? {}).toSorted());

async function run(environment: Environment, ...args: readonly string[]) {
  let stdout = "";
  let stderr = "";
  const once = () => undefined;
  const code = await runCli(args, {
    stdout: { write: (text: string) => ((stdout += text), true), once },
    stderr: { write: (text: string) => ((stderr += text), true), once },
    env: environment,
  });
  return { code, stdout, stderr };
}

const ENGINES = ["sqlite", "postgres"] as const;

describe.each(ENGINES)("from %s", (from) => {
  // From one engine into the other is the way with everything in it.
  it.each(ENGINES.filter((to) => IS_LONG_RUN || to !== from))(
    "moves everything into an empty %s, where work goes on",
    async (to) => {
      const [here, there] = [await freshEnvironment(from), await freshEnvironment(to)];
      await fill(here);
      const file = freshFile();
      expect(await run(here, "backup", file)).toMatchObject({ code: 0, stderr: "" });
      expect(await run(there, "restore", file)).toMatchObject({ code: 0, stderr: "" });
      const [before, after] = [await dump(here), await dump(there)];
      // A new table is filled above, or nobody knows whether it is restored.
      expect(Object.keys(before).filter((name) => before[name]?.length === 0)).toEqual([]);
      expect(after).toEqual(before);
      const own = (name: string) => readFileSync(join(there["ASSAY_DATA"] ?? "", name), "utf8");
      expect([own("rules.toml"), own("scanners/mine.toml")]).toEqual([RULES, SCANNER]);

      const store = openAnnotationStore(resolveAnnotationTarget(there));
      const draft = {
        reviewerId: "Dan",
        reviewerDiscipline: null,
        judgment: "pass",
        categories: [],
        notes: null,
      };
      await createAnnotation(store, { subject: subjectOf(7), draft, baseVersionId: null });
      await store.close();
      const seqs = (await dump(there))["statement"]?.map((row) => (row as { seq: number }).seq);
      expect(seqs).toHaveLength(new Set(seqs).size);
      expect(Math.max(...(seqs ?? []))).toBe(seqs?.length);
    },
  );

  itLong(from === "sqlite")(
    "writes gzip that ends with the SHA-256 of all before it, for its owner alone, and over nothing",
    async () => {
      const here = await freshEnvironment(from);
      const file = freshFile();
      expect((await run(here, "backup", file)).stderr).toContain("nothing to back up");
      await fill(here);
      await run(here, "backup", file);
      const bytes = readFileSync(file);
      const last = gunzipSync(bytes).toString().trim().split("\n").at(-1) ?? "";
      const { sha256 } = JSON.parse(last) as { sha256: string };
      const trailer = bytes.lastIndexOf(Buffer.from([0x1f, 0x8b, 0x08]));
      expect(sha256).toBe(createHash("sha256").update(bytes.subarray(0, trailer)).digest("hex"));
      expect(statSync(file).mode & 0o077).toBe(0);
      expect(readdirSync(join(file, ".."))).toEqual(["assay.backup"]);
      expect((await run(here, "backup", file)).code).toBe(2);
      expect(readFileSync(file).equals(bytes)).toBe(true);
    },
  );

  it("goes only where nothing is, and says what there is", async () => {
    const here = await freshEnvironment(from);
    await fill(here);
    const file = freshFile();
    await run(here, "backup", file);
    const before = await dump(here);
    const again = await run(here, "restore", file);
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(/is not empty: it has .*statement.*--data/);
    expect(await dump(here)).toEqual(before);

    const rules = await freshEnvironment(from);
    mkdirSync(rules["ASSAY_DATA"] ?? "", { recursive: true });
    writeFileSync(join(rules["ASSAY_DATA"] ?? "", "rules.toml"), "# theirs");
    expect((await run(rules, "restore", file)).stderr).toMatch(/is not empty.*rules\.toml/);
    expect(Object.values(await dump(rules)).flat()).toEqual([]);
  });

  it("holds one moment, while others go on saving", async () => {
    const here = await freshEnvironment(from);
    const store = openAnnotationStore(resolveAnnotationTarget(here));
    onTestFinished(() => store.close());
    for (let place = 0; place < 40; place += 1) {
      const notes = randomBytes(9_000).toString("hex");
      const draft = { reviewerId: "Ana", reviewerDiscipline: null, judgment: "pass", categories: [], notes };
      await createAnnotation(store, { subject: subjectOf(place), draft, baseVersionId: null });
    }
    const pieces = writeBackup(here, "0.1.0");
    const parts: Uint8Array[] = [];
    // It is in the middle of the judgments then, which come first and do not compress.
    while (Buffer.concat(parts).length < 50_000) parts.push((await pieces.next()).value ?? Buffer.of());
    const items = [{ subject: subjectOf(0), nReviewers: 1 as const }];
    await createQueue(store, { settings: { ...SETTINGS, name: "Meanwhile" }, items, author: "Ada" });
    for await (const piece of pieces) parts.push(piece);
    const text = gunzipSync(Buffer.concat(parts)).toString();
    expect(text.match(/orca\\"/g)).toHaveLength(40);
    expect(text).not.toContain("Meanwhile");
  });

  itLong(from === "sqlite")("leaves nothing where its last file cannot be written", async () => {
    const here = await freshEnvironment(from);
    await fill(here);
    const file = freshFile();
    await run(here, "backup", file);
    const there = await freshEnvironment(from);
    const data = there["ASSAY_DATA"] ?? "";
    mkdirSync(data);
    writeFileSync(join(data, "scanners"), "a file");
    expect((await run(there, "restore", file)).code).toBe(2);
    expect(Object.values(await dump(there)).flat()).toEqual([]);
    expect(existsSync(join(data, "rules.toml"))).toBe(false);
  });

  itLong(from === "sqlite")("takes a backup of the first release up to date", async () => {
    const old = new Database(":memory:");
    const sql = readFileSync(
      join(import.meta.dirname, "../annotations/first-release.sqlite.fixture.sql"),
      "utf8",
    );
    old.exec(sql);
    const rows = old.prepare("select * from annotation_version").raw().all();
    const columns = old.prepare("select name from pragma_table_info('annotation_version')").pluck().all();
    old.close();
    const file = makeBackup([
      HEADER,
      JSON.stringify({ store: "annotations", migrations: ["001_annotation_version"] }),
      JSON.stringify({ table: "annotation_version", columns }),
      ...rows.map((row) => JSON.stringify(row)),
    ]);
    const there = await freshEnvironment(from);
    const { code, stderr } = await run(there, "restore", file);
    expect(code).toBe(0);
    // PostgreSQL holds no NUL.
    expect(stderr).toBe(
      from === "sqlite"
        ? ""
        : "1 text contained a character that PostgreSQL cannot store; it was replaced by \uFFFD\n",
    );
    const stored = (await dump(there))["statement"] as { readonly seq: number; readonly body: string }[];
    expect(stored.map((row) => ({ ...row, body: JSON.parse(row.body) as object }))).toMatchObject([
      {
        seq: 1,
        body: {
          notes: from === "sqlite" ? "first\0note" : "first\uFFFDnote",
          evidence: [],
          savedBy: null,
        },
      },
      { seq: 2, body: { judgment: "pass" } },
      { seq: 3, parent: "22222222-2222-4222-8222-222222222222" },
    ]);
    expect((await run(there, "annotations", "export")).stdout.trim().split("\n")).toHaveLength(1);
  });
});

describe("a file that is no good", () => {
  let bytes: Buffer;
  let lines: readonly string[];

  beforeAll(async () => {
    const here = await freshEnvironment("sqlite");
    await fill(here);
    const file = freshFile();
    await run(here, "backup", file);
    bytes = readFileSync(file);
    lines = [...gunzipSync(bytes).toString().trim().split("\n").slice(0, -1), ...EARLIER_VIEWS];
  });

  /** What a restore says, of which nothing may be left. */
  async function refuse(file: string): Promise<string> {
    const there = await freshEnvironment("sqlite");
    const { code, stdout, stderr } = await run(there, "restore", file);
    expect([code, stdout, existsSync(there["ASSAY_DATA"] ?? "")]).toEqual([2, "", false]);
    return stderr;
  }

  it("because it was cut off or changed anywhere is refused", async () => {
    const file = freshFile();
    const places = Array.from({ length: 40 }, (_, at) => Math.floor((at * bytes.length) / 40));
    for (const place of [...places, 9, bytes.length - 1, bytes.length - 100]) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((bytes[place] ?? 0) ^ 1, place);
      writeFileSync(file, changed);
      expect(await refuse(file)).toMatch(place === 0 ? /no backup/ : /cut off or was changed/);
      writeFileSync(file, bytes);
      truncateSync(file, place);
      expect(await refuse(file)).toMatch(place < 3 ? /no backup/ : /cut off or was changed/);
    }
    writeFileSync(file, "id,name\n");
    expect(await refuse(file)).toMatch(/no backup/);
  });

  const replace = (begin: string, change: (line: string) => string) =>
    lines.map((line) => (line.startsWith(begin) ? change(line) : line));
  const insertAfter = (begin: string, line: string) =>
    lines.flatMap((one) => (one.startsWith(begin) ? [one, line] : [one]));
  const VIEWS = '{"table":"views"';

  it.each<readonly [string, RegExp, () => readonly string[]]>([
    [
      "of a newer format",
      /newer. Update/,
      () => replace('{"format"', (one) => one.replace("backup/1", "backup/2")),
    ],
    [
      "of a newer schema",
      /newer Assay.*999_later/,
      () => replace('{"store":"views"', (one) => one.replace("]", ',"999_later"]')),
    ],
    [
      "with a store of a newer Assay",
      /newer Assay/,
      () => [...lines, '{"store":"accounts","migrations":["001"]}'],
    ],
    ["without its header", /no backup/, () => lines.slice(1)],
    ["with no JSON", /line \d+ that is no JSON/, () => insertAfter(VIEWS, "[")],
    ["with half a row", /line \d+ that is no row/, () => insertAfter(VIEWS, '["x"]')],
    ["with an object in a row", /is no row/, () => insertAfter(VIEWS, '["x","n","/",{},null,null]')],
    [
      "with a row against a rule",
      /row of views: CHECK/,
      () => insertAfter(VIEWS, '["x","","/","t",null,null]'),
    ],
    ["with a row twice", /row of \w+: UNIQUE/, () => replace('["', (one) => `${one}\n${one}`)],
    [
      "with a row that refers to none",
      /refer to none/,
      () => lines.filter((one) => !/^\["[^"]+","Ada",/.test(one)),
    ],
    [
      "with a table of another program",
      /does not have/,
      () => [...lines, '{"table":"sqlite_master","columns":["sql"]}'],
    ],
    [
      "with a column that is a statement",
      /other columns/,
      () => replace(VIEWS, (one) => one.replace('"href"', '"href\\"); drop table views; --"')),
    ],
    [
      "without a table",
      /lacks tables.*views/,
      () => lines.filter((one) => !one.startsWith(VIEWS) && !one.includes("/jobs/tb2")),
    ],
    [
      "with a file that leads out",
      /cannot be restored/,
      () => [...lines, '{"file":"../out.toml","base64":""}'],
    ],
    [
      "with a file deeper down",
      /cannot be restored/,
      () => [...lines, '{"file":"scanners/../../out.toml","base64":""}'],
    ],
    ["with something else", /none that this Assay knows/, () => [...lines, '{"eval":"1"}']],
  ])("%s is refused", async (_, message, make) => {
    expect(await refuse(makeBackup(make()))).toMatch(message);
  });

  it("in what only PostgreSQL refuses leaves nothing behind", async () => {
    const there = await freshEnvironment("postgres");
    // The position of a lease.
    const number = /^(\["[0-9a-f-]{36}"),0,/;
    const hostile = makeBackup(lines.map((line) => line.replace(number, "$1,3000000000,")));
    expect((await run(there, "restore", hostile)).code).toBe(2);
    expect(Object.values(await dump(there)).flat()).toEqual([]);
    expect(existsSync(join(there["ASSAY_DATA"] ?? "", "rules.toml"))).toBe(false);
    expect((await run(there, "restore", makeBackup(lines))).code).toBe(0);
  });
});

it("moves a team to a database beside the data folder that it has", async () => {
  const here = await freshEnvironment("sqlite");
  await fill(here);
  const file = freshFile();
  await run(here, "backup", file);
  const { DATABASE_URL = "" } = await freshEnvironment("postgres");
  const there = { ...here, DATABASE_URL };
  expect(await run(there, "restore", file)).toMatchObject({ code: 0, stderr: "" });
  expect(await dump(there)).toEqual(await dump(here));
});

it("is not written of what could not be restored", async () => {
  const here = await freshEnvironment("sqlite");
  await fill(here);
  const edited = new Database(join(here["ASSAY_DATA"] ?? "", "annotations.sqlite"));
  edited.pragma("ignore_check_constraints = ON");
  edited.exec("insert into statement values (99, 'odd', '', '', null, 'Ana', null, 't', '{}', null)");
  edited.close();
  const file = freshFile();
  const { code, stderr } = await run(here, "backup", file);
  expect([code, readdirSync(join(file, ".."))]).toEqual([2, []]);
  expect(stderr).toContain("could not be restored");
});

it("never lies in a job folder", async () => {
  const here = await freshEnvironment("sqlite");
  await fill(here);
  const job = mkdtempSync(join(tmpdir(), "backup-job-"));
  writeFileSync(join(job, "job.log"), "");
  expect((await run(here, "backup", join(job, "assay.backup"))).code).toBe(2);
  expect(readdirSync(job)).toEqual(["job.log"]);
});
