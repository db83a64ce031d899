import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

import { sql } from "kysely";

import { NotFoundError } from "@/lib/core/domain/app-error";
import {
  type DatabaseTarget,
  type DataEnvironment,
  describeTarget,
  listTables,
  type OpenDatabase,
  readRows,
  resolveDataFolder,
  resolveTarget,
  type StoreKind,
} from "@/lib/store/database";

import { BACKUP_FORMAT, formatLine, makeTrailer } from "./read-backup";
import {
  listOwnFiles,
  readOwnFile,
  type AnyTables,
  isThere,
  listMigrationNames,
  listStores,
  openStore,
} from "./stores";

export type BackupPart =
  | { readonly kind: "store"; readonly name: string; readonly place: string; readonly nRows: number }
  | { readonly kind: "file"; readonly name: string };

/**
 * Yields the bytes of a backup of all data that cannot be computed again: all store tables, each store as of one moment, and the
 * user's rules and scanners. Holds only some rows in memory. Migrates stores of an older schema, as every opening does.
 * @param program - version of this Assay
 * @param onPart - called after the last byte of each part is read
 */
export async function* writeBackup(
  environment: DataEnvironment,
  program: string,
  onPart: (part: BackupPart) => void = () => undefined,
): AsyncGenerator<Uint8Array, undefined> {
  const hash = createHash("sha256");
  const gzip = createGzip();
  const compressed = pipeline(listLines(environment, program, onPart), gzip);
  // The loop below fails too, and reports the error to the reader.
  compressed.catch(() => undefined);
  for await (const piece of gzip as AsyncIterable<Uint8Array>) {
    hash.update(piece);
    yield piece;
  }
  await compressed;
  yield makeTrailer(hash.digest("hex"));
}

async function* listLines(
  environment: DataEnvironment,
  program: string,
  onPart: (part: BackupPart) => void,
): AsyncGenerator<string> {
  yield formatLine({ format: BACKUP_FORMAT, assay: program, created_at: new Date().toISOString() });
  const dataFolder = resolveDataFolder(environment);
  const stores = await listStores(environment);
  let nParts = 0;
  for (const kind of stores) {
    const target = resolveTarget(kind.place, environment);
    if (!isThere(target)) continue;
    const nRows = yield* listStoreLines(kind, target);
    onPart({ kind: "store", name: kind.name, place: describeTarget(target), nRows });
    nParts += nRows;
  }
  for (const name of listOwnFiles(dataFolder)) {
    const { bytes } = readOwnFile(dataFolder, name);
    yield formatLine({ file: name, base64: Buffer.from(bytes).toString("base64") });
    onPart({ kind: "file", name });
    nParts += 1;
  }
  if (nParts > 0) return;
  const places = [
    ...stores.map(({ place }) => describeTarget(resolveTarget(place, environment))),
    dataFolder,
  ];
  throw new NotFoundError(
    `There is nothing to back up in ${places.join(", ")}. Name the data folder with --data.`,
  );
}

async function* listStoreLines(kind: StoreKind, target: DatabaseTarget): AsyncGenerator<string, number> {
  const folder = mkdtempSync(join(tmpdir(), "assay-backup-"));
  try {
    const open = await openCopy(kind, target, folder);
    try {
      yield formatLine({ store: kind.name, migrations: [...listMigrationNames(kind)] });
      return yield* listTableLines(open);
    } finally {
      await open.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens a copy of a file, since no one can write to a file while it is read; a server allows both. */
async function openCopy(kind: StoreKind, target: DatabaseTarget, folder: string) {
  const open = await openStore(kind, target);
  if (target.engine === "postgres" || open.isCopy) return open;
  try {
    const file = join(folder, kind.place.fileName);
    await sql`vacuum into ${file}`.execute(open.db);
    return await openStore(kind, { engine: "sqlite", file, synchronous: "NORMAL" });
  } finally {
    await open.close();
  }
}

async function* listTableLines(open: OpenDatabase<AnyTables>): AsyncGenerator<string, number> {
  const moment = await open.db
    .startTransaction()
    .setAccessMode("read only")
    .setIsolationLevel("repeatable read")
    .execute();
  let nRows = 0;
  try {
    for (const table of await listTables({ ...open, db: moment })) {
      yield formatLine({ table: table.name, columns: [...table.columns] });
      for await (const rows of readRows(moment, table)) {
        nRows += rows.length;
        yield rows.map((row) => formatLine([...row])).join("");
      }
    }
  } finally {
    await moment.rollback().execute();
  }
  return nRows;
}
