import { existsSync } from "node:fs";

import { formatPlural } from "@/lib/core/format/number";
import { type BackupPart, checkBackup, restoreBackup, writeBackup } from "@/lib/people/backup";

import { parseCommandLine, parseOnlyOperand, UsageError } from "./command-line";
import { checkFile, checkFolder, withData } from "./open-folders";
import { makePrintable, type Terminal, writeAll } from "./terminal";
import { readVersion } from "./version";
import { checkOutsideJobs, writeFileAtOnce } from "./write-file";

/** Only users who may read the data folder may read its backup. */
const OWN_FILE = 0o600;

/** Runs `assay backup FILE`, which must not exist yet. */
export async function runBackup(args: readonly string[], terminal: Terminal): Promise<number> {
  const { file, data } = parse(args);
  if (data !== undefined) checkFolder(data);
  checkOutsideJobs(file);
  // An existing file may be the last good backup, or the store itself.
  if (existsSync(file)) throw new UsageError(`${file} is there already. Name a new file.`);
  const parts: BackupPart[] = [];
  const pieces = writeBackup(withData(terminal.env, data), readVersion(), (part) => parts.push(part));
  await writeFileAtOnce(file, pieces, { mode: OWN_FILE, check: checkBackup });
  await writeAll(terminal.stdout, [...describe(parts), `Backed up to ${makePrintable(file)}\n`]);
  return 0;
}

/** Runs `assay restore FILE` into an empty data folder or database. */
export async function runRestore(args: readonly string[], terminal: Terminal): Promise<number> {
  const { file, data } = parse(args);
  checkFile(file);
  const { parts, nChangedTexts } = await restoreBackup(file, withData(terminal.env, data));
  await writeAll(terminal.stdout, [...describe(parts), `Restored from ${makePrintable(file)}\n`]);
  if (nChangedTexts > 0)
    terminal.stderr.write(
      `${formatPlural(nChangedTexts, "text")} had a character that PostgreSQL cannot hold, which became \uFFFD\n`,
    );
  return 0;
}

function parse(args: readonly string[]): { readonly file: string; readonly data: string | undefined } {
  const { values, positionals } = parseCommandLine(args, { data: { type: "string" } });
  return { file: parseOnlyOperand(positionals, "file"), data: values.data };
}

function* describe(parts: readonly BackupPart[]): Generator<string> {
  for (const part of parts)
    yield part.kind === "file"
      ? `file ${makePrintable(part.name)}\n`
      : `${part.name}: ${formatPlural(part.nRows, "row")}, ${makePrintable(part.place)}\n`;
}
