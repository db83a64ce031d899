import { existsSync } from "node:fs";

import { formatPlural } from "@/lib/core/format/number";
import { readAnnotationsState } from "@/lib/people/annotations";
import { type BackupPart, checkBackup, restoreBackup, writeBackup } from "@/lib/people/backup";

import { defineCommand, parseOnlyOperand, option, UsageError } from "./command";
import { checkFile, checkFolder, withAnnotations, withData } from "./open-folders";
import { checkOutsideJobs, writeFileAtOnce } from "./output-file";
import { makePrintable, readVersion, writeAll } from "./terminal";

/** Only users who may read the data folder may read its backup. */
const OWN_FILE = 0o600;

export const backup = defineCommand({
  listed: { "backup FILE": "Back up everything that cannot be recomputed to one file" },
  usage: ["assay backup FILE [OPTIONS]"],
  about: `Writes everything that cannot be recomputed to one new file: judgments with all their history, decisions, queues, the
codebook, names, dismissals, answers and tags; saved views and run sets; accounts and the audit log; your own rules.toml
and scanners. Users can keep saving meanwhile; each store is a consistent snapshot. FILE is read back before it gets its
name. It can be restored into files or into the database of $DATABASE_URL. It is not encrypted: protect it like the data
folder.`,
  options: {
    data: option("DIR", "Data folder to back up (default $ASSAY_DATA, else the user's data folder)."),
  },
  examples: ["assay backup assay.backup"],
  async run({ values, positionals }, terminal) {
    const file = parseOnlyOperand(positionals, "file");
    if (values.data !== undefined) checkFolder(values.data);
    checkOutsideJobs(file);
    // An existing file may be the last good backup, or the store itself.
    if (existsSync(file)) throw new UsageError(`${file} already exists. Choose a new file name.`);
    const parts: BackupPart[] = [];
    const pieces = writeBackup(withData(terminal.env, values.data), readVersion(), (part) =>
      parts.push(part),
    );
    await writeFileAtOnce(file, pieces, { mode: OWN_FILE, check: checkBackup });
    await writeAll(terminal.stdout, [...describe(parts), `Backed up to ${makePrintable(file)}\n`]);
    return 0;
  },
});

export const restore = defineCommand({
  listed: { "restore FILE": "Restore a backup into an empty data folder or database" },
  usage: ["assay restore FILE [OPTIONS]"],
  about: `Restores a backup into an empty data folder, or the empty database of $DATABASE_URL, completely or not at all. Rejects a
truncated or modified file. Backups of older versions are migrated.`,
  options: {
    data: option(
      "DIR",
      "Data folder to restore into, created if missing (default $ASSAY_DATA, else the user's data folder).",
    ),
  },
  examples: ["assay restore assay.backup --data restored"],
  async run({ values, positionals }, terminal) {
    const file = parseOnlyOperand(positionals, "file");
    checkFile(file);
    const { parts, nChangedTexts } = await restoreBackup(file, withData(terminal.env, values.data));
    await writeAll(terminal.stdout, [...describe(parts), `Restored from ${makePrintable(file)}\n`]);
    if (nChangedTexts > 0)
      terminal.stderr.write(
        `${formatPlural(nChangedTexts, "text")} contained a character that PostgreSQL cannot store; it was replaced by \uFFFD\n`,
      );
    const { problem } = await withAnnotations(terminal, values.data, readAnnotationsState);
    if (problem !== null) terminal.stderr.write(`${problem}\n`);
    return 0;
  },
});

function* describe(parts: readonly BackupPart[]): Generator<string> {
  for (const part of parts)
    yield part.kind === "file"
      ? `file ${makePrintable(part.name)}\n`
      : `${part.name}: ${formatPlural(part.nRows, "row")}, ${makePrintable(part.place)}\n`;
}
