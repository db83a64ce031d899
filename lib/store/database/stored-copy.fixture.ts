import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

import Database from "better-sqlite3";
import { Client } from "pg";

import type { EngineUnderTest } from "./postgres.fixture";
import type { DatabaseTarget } from "./target";

/**
 * A store as an earlier release left it, from what its database dumped: `PATH.sqlite.fixture.sql` or
 * `PATH.postgres.fixture.sql`.
 *
 * @param schema - that the dump of PostgreSQL is in, which one test of a file may have
 */
export async function restoreCopy(
  engine: EngineUnderTest,
  path: string,
  schema: string,
): Promise<DatabaseTarget> {
  const dump = readFileSync(`${path}.${engine.name}.fixture.sql`, "utf8");
  const target = await engine.freshTarget();
  if (target.engine === "sqlite") {
    mkdirSync(dirname(target.file), { recursive: true });
    const file = new Database(target.file);
    file.exec(dump);
    file.close();
    return target;
  }
  const client = new Client({ connectionString: target.url });
  await client.connect();
  await client.query(dump);
  await client.end();
  return { ...target, schema };
}
