export { type DataEnvironment, findJobFolder, refuseJobFolder, resolveDataFolder } from "./data-folder";
export { type ColumnValue, toColumnText } from "./insert-rows";
export { migrate, type Migrations, openMigrated, runAll, runStatements, type StoreKind } from "./migrate";
export { isNoneOf, limitRows, type RowLimits } from "./limit-rows";
export { openDatabase, type OpenDatabase, readServerFacts } from "./open-database";
export { openOnUse, type StoreOnUse } from "./open-on-use";
export { type Salvage, salvageSqlite } from "./salvage-sqlite";
export { toStoreError } from "./store-error";
export { takeTurns } from "./take-turns";
export { continueNumbers, listFilled, listTables, lockTables, readRows, type StoreTable } from "./tables";
export {
  type DatabaseTarget,
  describeTarget,
  type PostgresTarget,
  resolveTarget,
  type StorePlace,
} from "./target";
