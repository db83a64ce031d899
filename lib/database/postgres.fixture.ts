import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { afterAll, describe } from "vitest";

import type { DatabaseTarget, PostgresTarget, SqliteTarget } from "./target";

/** One of the two engines, as a place for tests. */
export interface EngineUnderTest {
  readonly name: DatabaseTarget["engine"];
  /** A place where nothing is yet, another one for each call; gone after the test file. */
  readonly freshTarget: () => Promise<DatabaseTarget>;
}

/** Defines the same tests once for SQLite and once for a real PostgreSQL. */
export function describeEngines(name: string, define: (engine: EngineUnderTest) => void): void {
  describe(`${name} on SQLite`, () =>
    define({ name: "sqlite", freshTarget: () => Promise.resolve(freshSqlite()) }));
  describe(`${name} on PostgreSQL`, () => define({ name: "postgres", freshTarget: freshPostgres }));
}

const folders: string[] = [];
let server: Promise<PostgresServer> | null = null;
let made = 0;

/** A file that is not there yet, in a folder that is not there yet; gone after the test file. */
export function freshSqlite(): SqliteTarget {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "assay-sqlite-")));
  folders.push(folder);
  return { engine: "sqlite", file: join(folder, "data", "store.sqlite"), synchronous: "FULL" };
}

/** A schema that is not there yet, with a name that needs quoting. */
export async function freshPostgres(): Promise<PostgresTarget> {
  made += 1;
  const { url } = await getPostgres();
  return { engine: "postgres", url, schema: `fresh "${String(made)}"` };
}

/** A running server that only this test file knows. */
interface PostgresServer {
  /** Of its superuser, over a socket in the server's own folder. */
  readonly url: string;
  /** Ends it as a power cut would, without a word to its clients. */
  readonly kill: () => Promise<void>;
}

/** The server of this test file, started at the first call and gone after the last test. */
export function getPostgres(): Promise<PostgresServer> {
  return (server ??= startPostgres());
}

/** Whom PostgreSQL runs as. */
interface User {
  readonly uid: number;
  readonly gid: number;
}

afterAll(async () => {
  if (server !== null) await (await server).kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function startPostgres(): Promise<PostgresServer> {
  const bin = findPostgres();
  // A socket's path has room for 107 bytes, and the server's user must be able to walk there.
  const parent = tmpdir().length > 60 ? "/tmp" : tmpdir();
  const folder = realpathSync(mkdtempSync(join(parent, "assay-pg-")));
  folders.push(folder);
  const user = process.getuid?.() === 0 ? readUser("postgres") : null;
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  makeCluster(join(bin, "initdb"), data, user);
  const settings = ["listen_addresses=", "fsync=off", "shared_buffers=16MB", "max_connections=50"];
  const child = spawn(
    join(bin, "postgres"),
    ["-D", data, "-k", folder, ...settings.flatMap((one) => ["-c", one])],
    {
      ...user,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const kill = (): void => void child.kill("SIGQUIT");
  process.once("exit", kill);
  const exit = new Promise<void>((settle) => child.once("close", () => settle()));
  await waitUntilReady(child);
  return {
    url: `postgres://postgres@localhost/postgres?host=${folder}`,
    kill: async () => {
      process.off("exit", kill);
      kill();
      await exit;
    },
  };
}

/** Sorts by a language's rules, as most servers do: a query that relies on the order of code points fails here. */
const LANGUAGE = ["--locale-provider=icu", "--icu-locale=en-US"];

function makeCluster(initdb: string, data: string, user: User | null): void {
  const args = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  const run = (more: readonly string[]) =>
    spawnSync(initdb, [...args, ...more], { ...user, cwd: "/", encoding: "utf8" });
  const first = run(LANGUAGE);
  // Before version 15 a cluster could not have such an order.
  const last = first.status === 0 ? first : run([]);
  if (last.status !== 0) throw new Error(`initdb failed: ${first.stderr}\n${last.stderr}`);
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((settle, fail) => {
    let log = "";
    child.once("close", () => fail(new Error(`PostgreSQL did not start:\n${log}`)));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("ready to accept connections")) settle();
    });
  });
}

/** Folder of initdb and postgres: $ASSAY_POSTGRES_BIN, Debian's newest, else on the PATH. */
function findPostgres(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  const candidates = [
    process.env["ASSAY_POSTGRES_BIN"] ?? "",
    ...newestFirst.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  const found = candidates.find((folder) => folder !== "" && existsSync(join(folder, "initdb")));
  if (found !== undefined) return found;
  throw new Error(
    "These tests need PostgreSQL. Install it (Debian: apt-get install postgresql), or name the folder of initdb: " +
      "ASSAY_POSTGRES_BIN=/path/to/bin npm test",
  );
}

/** PostgreSQL refuses to run as root; its package brings a user of its own. */
function readUser(name: string): User {
  const read = (flag: string): number =>
    Number.parseInt(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout, 10);
  const [uid, gid] = [read("-u"), read("-g")];
  if (Number.isNaN(uid) || Number.isNaN(gid)) throw new Error(`There is no user ${name} to run PostgreSQL.`);
  return { uid, gid };
}
