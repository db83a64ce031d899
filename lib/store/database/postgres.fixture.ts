import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { Client } from "pg";
import { beforeEach, describe, expect, inject, onTestFinished } from "vitest";

import { IS_LONG_RUN } from "@/lib/testing/plan-runs";

import { type PostgresServer, startPostgres } from "./postgres-server.fixture";
import type { DatabaseTarget, PostgresTarget, SqliteTarget } from "./target";

/** One of the two engines, as a place for tests. */
export interface EngineUnderTest {
  readonly name: DatabaseTarget["engine"];
  /** A place where nothing is yet, another one for each call. */
  readonly freshTarget: () => Promise<DatabaseTarget>;
}

/** Defines the same tests once for SQLite and once for a real PostgreSQL. */
export function describeEngines(name: string, define: (engine: EngineUnderTest) => void): void {
  describe(`${name} on SQLite`, () =>
    define({ name: "sqlite", freshTarget: () => Promise.resolve(freshSqlite()) }));
  describe(`${name} on PostgreSQL`, () => define({ name: "postgres", freshTarget: freshPostgres }));
}

/**
 * {@link describeEngines} for what pages ask, where the first test asks for everything once: in `npm test` PostgreSQL runs that
 * one, since one builder makes the statements of both engines, and in `npm run test:long` all of them.
 */
export function describeQueries(name: string, define: (engine: EngineUnderTest) => void): void {
  describeEngines(name, (engine) => {
    let nAsked = 0;
    beforeEach(({ skip }) => {
      nAsked += 1;
      skip(!IS_LONG_RUN && engine.name === "postgres" && nAsked > 1);
    });
    define(engine);
  });
}

/** Of the test file that runs now; the one before is gone. */
let database: { readonly file: string | undefined; readonly url: Promise<string> } | null = null;
let made = 0;

/** A file that is not there yet, in a folder that is not there yet. */
export function freshSqlite(): SqliteTarget {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "assay-sqlite-")));
  return { engine: "sqlite", file: join(folder, "data", "store.sqlite"), synchronous: "EXTRA" };
}

/** A schema that is not there yet, with a name that needs quoting. */
export async function freshPostgres(): Promise<PostgresTarget> {
  made += 1;
  // Making tables takes longer the more there are, and files of tests share this module: each has a database of its own.
  const file = expect.getState().testPath;
  if (database === null || database.file !== file)
    database = { file, url: replaceDatabase(database?.url ?? null) };
  return { engine: "postgres", url: await database.url, schema: `fresh "${String(made)}"` };
}

/** A database of this process alone on the server that all share, in the place of another one. @returns its address */
async function replaceDatabase(last: Promise<string> | null): Promise<string> {
  const url = await text(connect(inject("postgresSocket")));
  if (!url.startsWith("postgres:")) throw new Error(url);
  const name = `test_${randomUUID()}`;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create database "${name}"`);
  if (last !== null) {
    const { pathname } = new URL(await last);
    await client.query(`drop database "${pathname.slice(1)}" with (force)`);
  }
  await client.end();
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** A server that a test may end; gone after it. */
export async function startOwnPostgres(): Promise<PostgresServer> {
  const server = await startPostgres();
  onTestFinished(server.kill);
  return server;
}
