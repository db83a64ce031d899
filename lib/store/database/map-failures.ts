import type { DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";

import { toStoreError } from "./store-error";
import type { DatabaseTarget } from "./target";

export function mapFailures(dialect: Dialect, target: DatabaseTarget): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => mapDriver(dialect.createDriver(), target),
  };
}

/** Pools reuse connections, so each is wrapped once. */
function mapDriver(driver: Driver, target: DatabaseTarget): Driver {
  const mapped = new WeakSet<DatabaseConnection>();
  const acquire = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await runMapped(target, () => acquire(options));
    if (!mapped.has(connection)) {
      mapped.add(connection);
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = <R>(...query: Parameters<typeof execute>): Promise<QueryResult<R>> =>
        runMapped(target, () => execute<R>(...query));
    }
    return connection;
  };
  return driver;
}

async function runMapped<T>(target: DatabaseTarget, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error, target);
  }
}
