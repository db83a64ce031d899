import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { Client } from "pg";
import { onTestFinished } from "vitest";

import { freshPostgres } from "@/lib/store/database/postgres.fixture";

import { makeTrailer } from "./read-backup";

export type Environment = Readonly<Record<string, string>>;
type Engine = "sqlite" | "postgres";

/** An environment where nothing is yet, with a database of its own on PostgreSQL. */
export async function freshEnvironment(engine: Engine): Promise<Environment> {
  const data = join(mkdtempSync(join(tmpdir(), "backup-")), "data");
  if (engine === "sqlite") return { ASSAY_DATA: data };
  const { url } = await freshPostgres();
  const name = `backup_${randomUUID()}`;
  await query(url, `create database "${name}"`);
  onTestFinished(async () => {
    await query(url, `drop database "${name}" with (force)`);
  });
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { ASSAY_DATA: data, DATABASE_URL: own.href };
}

export async function query<Row>(url: string, text: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

export const freshFile = () => join(mkdtempSync(join(tmpdir(), "backup-")), "assay.backup");

export const HEADER = JSON.stringify({
  format: "assay.backup/1",
  assay: "0.1.0",
  created_at: "2026-01-01T00:00:00Z",
});

/** A backup with these lines, whole by its hash. */
export function makeBackup(lines: readonly string[]): string {
  const file = freshFile();
  const compressed = gzipSync(lines.map((line) => `${line}\n`).join(""));
  writeFileSync(
    file,
    Buffer.concat([compressed, makeTrailer(createHash("sha256").update(compressed).digest("hex"))]),
  );
  return file;
}

/** Views and run sets as the release before wrote them. */
export const EARLIER_VIEWS = [
  '{"store":"views","migrations":["001_views","002_run_sets","003_rules_of_run_sets"]}',
  '{"table":"run_sets","columns":["id","name","members","created_at","created_by","deleted_at","kind","rule"]}',
  String.raw`["358e9ea1","apart","[{\"job\":null,\"jobKey\":\"b\",\"jobName\":\"b\",\"group\":\"g\"}]","2026-03-01T10:00:00.000Z",null,null,"apart",null]`,
  '{"table":"views","columns":["id","name","href","created_at","created_by","deleted_at"]}',
  '["6838d3d6-60ba-43f6-883f-2fd34afe6af3","Old","/jobs/tb2?pattern=old","2026-03-01T10:00:00.000Z","Ada",null]',
  '["76f775bd-94b9-435d-878a-2a924403deb1","Gone","/jobs/tb2?pattern=gone","2026-03-01T10:00:00.000Z","Ada","2026-03-02T10:00:00.000Z"]',
];
