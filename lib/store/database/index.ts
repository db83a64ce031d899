export {
  type DataEnvironment,
  type DatabaseTarget,
  type PostgresTarget,
  type StorePlace,
  describeTarget,
  findJobFolder,
  refuseJobFolder,
  resolveDataFolder,
  resolveTarget,
} from "./target";
export { type ColumnValue, takeTurns, toColumnText } from "./insert-rows";
export { type StoreTable, continueNumbers, listFilled, listTables, lockTables, readRows } from "./tables";
export {
  type Migrations,
  type OpenDatabase,
  type StoreKind,
  migrate,
  openDatabase,
  openMigrated,
  readServerFacts,
  runAll,
  runStatements,
} from "./open-database";
export { isAmong, limitRows, type RowLimits } from "./limit-rows";
export { openOnUse, type StoreOnUse } from "./open-on-use";
export { type Salvage, salvageSqlite } from "./salvage-sqlite";
export { toStoreError } from "./store-error";
