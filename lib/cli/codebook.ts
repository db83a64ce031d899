import { readFile, stat } from "node:fs/promises";

import { formatPlural } from "@/lib/core/format/number";
import {
  type FileProblem,
  formatCodebookFile,
  importCodebook,
  type ImportResult,
  readCodebook,
} from "@/lib/people/annotations";

import { defineCommand, flag, parseOnlyOperand, option, UsageError } from "./command";
import { withAnnotations } from "./open-folders";
import { makePrintable, writeAll } from "./terminal";

/** A file of 10,000 categories with the longest texts is smaller. */
const MOST_BYTES = 256_000_000;

export const codebook = defineCommand({
  listed: { "codebook export|import": "Export or import the codebook" },
  usage: ["assay codebook export [OPTIONS]", "assay codebook import FILE [OPTIONS]"],
  about: `Writes the codebook to standard output (assay.codebook/1), or imports all categories of FILE. An entry that also changed
here since FILE was exported is a conflict. A conflict or an error imports nothing and exits with 1.`,
  options: {
    "dry-run": flag("Print what an import would do, and change nothing."),
    name: option("NAME", "Your name in the history of the codebook."),
    data: option("DIR", "Folder of the annotations (default $ASSAY_DATA, else the user's data folder)."),
  },
  words: ["export", "import"],
  examples: ["assay codebook export > codebook.json", "assay codebook import codebook.json --dry-run"],
  async run({ values, positionals }, terminal) {
    const [verb, ...operands] = positionals;
    if (verb !== "export" && verb !== "import")
      throw new UsageError("Use assay codebook export or assay codebook import FILE.");
    if (verb === "export" && operands.length > 0) throw new UsageError("The export goes to standard output.");
    const text = verb === "import" ? await readText(parseOnlyOperand(operands, "file")) : "";
    return withAnnotations(terminal, values.data, async (store) => {
      if (verb === "export") {
        await writeAll(terminal.stdout, [formatCodebookFile((await readCodebook(store)).codebook)]);
        return 0;
      }
      const author = values.name ?? "assay codebook import";
      const result = await importCodebook(store, { text, author, isTrial: values["dry-run"] });
      await writeAll(terminal.stdout, describeImport(result));
      return result.errors.length + result.conflicts.length === 0 ? 0 : 1;
    });
  },
});

async function readText(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > MOST_BYTES) throw new UsageError(`${file} is too large for a codebook.`);
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${file} is not UTF-8.`, { cause: error });
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read.`, { cause: error });
  }
}

function* describeImport({ added, changed, nUnchanged, conflicts, errors, isDone, version }: ImportResult) {
  const isRefused = errors.length + conflicts.length > 0;
  const done = isDone
    ? `Imported as version ${version}`
    : isRefused
      ? "Nothing was imported"
      : "Nothing was changed";
  yield `${done}: ${added.length} added, ${changed.length} changed, ${nUnchanged} unchanged, ${conflicts.length} in conflict, ${formatPlural(errors.length, "error")}.\n`;
  for (const label of added) yield `added     ${makePrintable(label)}\n`;
  for (const label of changed) yield `changed   ${makePrintable(label)}\n`;
  for (const problem of conflicts) yield `conflict  ${describeProblem(problem)}\n`;
  for (const problem of errors) yield `error     ${describeProblem(problem)}\n`;
}

function describeProblem({ line, entry, label, message }: FileProblem): string {
  const place =
    entry === null
      ? ""
      : `${line === null ? "" : `line ${line}, `}entry ${entry}${label === null ? "" : ` (${label})`}: `;
  return makePrintable(place + message);
}
