import { refuseOtherDatabase, toStoreError } from "./store-error";
import type { PostgresTarget } from "./target";

const TIMEOUT_MS = 5_000;

/** What a PostgreSQL server says of itself and of what it allows; nothing is made. */
export interface ServerFacts {
  /** As `server_version` has it, like `15.4`. */
  readonly version: string;
  /** Whether the role may make schemas in the database: each store has one, and each index one of its own. */
  readonly mayCreate: boolean;
}

/**
 * Asks a server for its version and what it allows.
 *
 * @throws StoreError when it does not answer or refuses, or is no PostgreSQL
 */
export async function readServerFacts(target: PostgresTarget): Promise<ServerFacts> {
  refuseOtherDatabase(target);
  try {
    const { default: driver } = await import("pg");
    const client = new driver.Client({
      connectionString: target.url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    // What breaks fails the query. Without a listener the process would end.
    client.on("error", () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<{ readonly version: string; readonly may: boolean }>(
        `select current_setting('server_version') as version,
          has_database_privilege(current_database(), 'CREATE') as may`,
      );
      return { version: rows[0]?.version ?? "", mayCreate: rows[0]?.may ?? false };
    } finally {
      await client.end();
    }
  } catch (error) {
    throw toStoreError(error, target);
  }
}
