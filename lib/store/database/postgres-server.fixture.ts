import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A socket that answers with the address of the server that all test files share. */
    readonly postgresSocket: string;
  }
}

/** A socket's path has at most 107 bytes, and the server's user must be able to walk there. */
const SOCKET_FOLDER = tmpdir().length > 60 ? "/tmp" : tmpdir();

/** Lets test files share a server, which starts when the first of them asks for it and goes with the run. */
export default function sharePostgres(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(SOCKET_FOLDER, "assay-ask-"));
  const path = join(folder, "postgres");
  let started: Promise<PostgresServer> | null = null;
  const answers = createServer((socket) => {
    started ??= startPostgres();
    started.then(
      ({ url }) => socket.end(url),
      (error: unknown) => socket.end(String(error)),
    );
  });
  answers.listen(path);
  project.provide("postgresSocket", path);
  return async () => {
    answers.close();
    // A server that did not start has been told of by the tests that asked for it.
    const server = await started?.catch(() => null);
    await server?.kill();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** A running server that only its starter knows. */
export interface PostgresServer {
  /** Of its superuser, over a socket in the server's own folder. */
  readonly url: string;
  /** Ends it as a power cut would, without a word to its clients; its data stay. */
  readonly end: () => Promise<void>;
  /** Ends all its processes by SIGKILL at once. */
  readonly killAll: () => Promise<void>;
  /** Starts it again after it was ended, at the same address. */
  readonly startAgain: () => Promise<void>;
  /** Ends it in the same way, and removes its folder. */
  readonly kill: () => Promise<void>;
}

/** Whom PostgreSQL runs as. */
interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Starts a server of its own, with an empty cluster. */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = findPostgres();
  const folder = realpathSync(mkdtempSync(join(SOCKET_FOLDER, "assay-pg-")));
  const user = process.getuid?.() === 0 ? readUser("postgres") : null;
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  makeCluster(join(bin, "initdb"), data, user);
  const settings = [
    ...["listen_addresses=", "fsync=off", "shared_buffers=16MB", "max_connections=100"],
    // A server's work between queries and before slow ones.
    ...["autovacuum=off", "jit=off"],
  ];
  const args = ["-D", data, "-k", folder, ...settings.flatMap((one) => ["-c", one])];
  const start = async (): Promise<(signal?: "SIGQUIT" | "SIGKILL") => Promise<void>> => {
    const child = spawn(join(bin, "postgres"), args, {
      ...user,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const kill = (): void => void child.kill("SIGQUIT");
    const killAll = (): void => {
      for (const pid of [child.pid ?? 0, ...listChildren(child.pid ?? 0)]) tryKill(pid);
    };
    process.once("exit", kill);
    const exit = new Promise<void>((settle) => child.once("close", () => settle()));
    await waitUntilReady(child);
    return (signal = "SIGQUIT") => {
      process.off("exit", kill);
      if (signal === "SIGQUIT") kill();
      else killAll();
      return exit;
    };
  };
  let end = await start();
  return {
    url: `postgres://postgres@localhost/postgres?host=${folder}`,
    end: () => end(),
    killAll: () => end("SIGKILL"),
    startAgain: async () => {
      end = await start();
    },
    kill: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listChildren(pid: number): readonly number[] {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return stdout
    .split("\n")
    .map(Number)
    .filter((one) => one > 0);
}

/** One may have ended meanwhile. */
function tryKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    return;
  }
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
