import { refuseOtherDatabase, toStoreError } from "./store-error";
import type { PostgresTarget } from "./target";

const TIMEOUT_MS = 5_000;

interface ServerFacts {
  readonly version: string;
  /** True if the role may create schemas: each store and each index has its own. */
  readonly mayCreate: boolean;
}

/** @throws StoreError when the server does not answer or refuses, or is not PostgreSQL */
export async function readServerFacts(target: PostgresTarget): Promise<ServerFacts> {
  refuseOtherDatabase(target);
  try {
    const { default: driver } = await import("pg");
    const client = new driver.Client({
      connectionString: target.url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    // Failures fail the query. Without a listener the process would exit.
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
