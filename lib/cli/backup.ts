import { existsSync } from "node:fs";

import { formatPlural } from "@/lib/core/format/number";
import { readAnnotationsState } from "@/lib/people/annotations";
import { type BackupPart, checkBackup, restoreBackup, writeBackup } from "@/lib/people/backup";

import { defineCommand, parseOnlyOperand, option, UsageError } from "./command";
import { checkFile, checkFolder, withAnnotations, withData } from "./open-folders";
import { makePrintable, writeAll } from "./terminal";
import { readVersion } from "./version";
import { checkOutsideJobs, writeFileAtOnce } from "./write-file";

/** Only users who may read the data folder may read its backup. */
const OWN_FILE = 0o600;

/** Runs `assay backup FILE`, which must not exist yet. */
export const backup = defineCommand({
  listed: { "backup FILE": "Write everything that cannot be computed again to one file" },
  usage: ["assay backup FILE [OPTIONS]"],
  about: `Writes everything that cannot be computed again to one new file, each store as it stands at one moment while others go on
saving: judgments with all their history, decisions, queues, the codebook, names, dismissals, answers and tags; saved views and
run sets; accounts and the audit log; your own rules.toml and scanners. FILE is read back before it takes its name. It is the same whether Assay keeps its
data in files or in the database of $DATABASE_URL, and can be restored into either. It holds what was written, in plain words:
keep it as safe as the data folder.`,
  options: {
    data: option("DIR", "Data folder to back up (default $ASSAY_DATA, else the user's data folder)."),
  },
  examples: ["assay backup assay.backup"],
  async run({ values, positionals }, terminal) {
    const file = parseOnlyOperand(positionals, "file");
    if (values.data !== undefined) checkFolder(values.data);
    checkOutsideJobs(file);
    // An existing file may be the last good backup, or the store itself.
    if (existsSync(file)) throw new UsageError(`${file} is there already. Name a new file.`);
    const parts: BackupPart[] = [];
    const pieces = writeBackup(withData(terminal.env, values.data), readVersion(), (part) =>
      parts.push(part),
    );
    await writeFileAtOnce(file, pieces, { mode: OWN_FILE, check: checkBackup });
    await writeAll(terminal.stdout, [...describe(parts), `Backed up to ${makePrintable(file)}\n`]);
    return 0;
  },
});

/** Runs `assay restore FILE` into an empty data folder or database. */
export const restore = defineCommand({
  listed: { "restore FILE": "Read such a file into an empty data folder or database" },
  usage: ["assay restore FILE [OPTIONS]"],
  about: `Restores a backup into a data folder, or the database of $DATABASE_URL, in which nothing was saved yet; all of it or nothing. A
file that was cut off or changed since it was written is refused. Backups of older versions are brought up to date.`,
  options: {
    data: option(
      "DIR",
      "Data folder to restore into, made where it is not there (default $ASSAY_DATA, else the user's data folder).",
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
        `${formatPlural(nChangedTexts, "text")} had a character that PostgreSQL cannot hold, which became \uFFFD\n`,
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
