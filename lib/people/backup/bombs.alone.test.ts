import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";

import { expect, it, onTestFinished, vi } from "vitest";

import { ValidationError } from "@/lib/core/domain/app-error";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";

import { restoreBackup } from "./index";
import { makeTrailer } from "./read-backup";

const HEADER = '{"format":"assay.backup/1","assay":"0.1.0","created_at":"t"}\n';

async function writeBomb(file: string, pieces: Iterable<string>): Promise<void> {
  await writeFile(file, Readable.from([HEADER, ...pieces]).pipe(createGzip({ level: 1 })));
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) hash.update(piece as Uint8Array);
  await appendFile(file, makeTrailer(hash.digest("hex")));
}

function* repeat(begin: string, text: string, megabytes: number, end: string): Generator<string> {
  const piece = text.repeat((1 << 20) / text.length);
  yield begin;
  for (let n = 0; n < megabytes; n++) yield piece;
  yield end;
}

function* repeatFiles(count: number, megabytes: number): Generator<string> {
  for (let n = 0; n < count; n++)
    yield* repeat(`{"file":"scanners/${n}.toml","base64":"`, "AAAA", megabytes, '"}\n');
}

type Bomb = readonly [name: string, message: RegExp, pieces: () => Iterable<string>];

const BOMBS: readonly Bomb[] = [
  ["a file that Assay would not read", /line 2 that exceeds the 16 MiB/, () => repeatFiles(1, 24)],
  ["many files", /line 4 that exceeds the 16 MiB/, () => repeatFiles(5, 10)],
];
const LARGE_BOMBS: readonly Bomb[] = [
  ["a row of 1 GB", /line 2 that is too long/, () => repeat('["', "a", 1_000, '"]\n')],
  ["1 GB without a line", /line 2 that is too long/, () => repeat("", " ", 1_000, "")],
  [
    "a row of as many values as there can be",
    /line 2 of more than 1000 values/,
    () => repeat("[0", ",0", 280, "]\n"),
  ],
  ["lists within lists", /line 2 of more than 1000 values/, () => repeat("", "[", 250, "\n")],
  ["files of 2 GB", /line 2 that exceeds the 16 MiB/, () => repeatFiles(20, 100)],
];

it.each(IS_LONG_RUN ? [...BOMBS, ...LARGE_BOMBS] : BOMBS)(
  "a backup with %s is refused, and nothing is left of it",
  async (_, message, pieces) => {
    const folder = mkdtempSync(join(tmpdir(), "backup-bomb-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "assay.backup");
    await writeBomb(file, pieces());
    const temporary = join(folder, "temporary");
    mkdirSync(temporary);
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const restored = restoreBackup(file, { ASSAY_DATA: join(folder, "data") });
    await expect(restored).rejects.toThrow(ValidationError);
    await expect(restored).rejects.toThrow(message);
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(join(folder, "data"))).toBe(false);
  },
  300_000,
);
