import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

import { z } from "zod";

import { findProjectRoot } from "../lib/read/processes/project-root.ts";
import { bundleScript } from "./bundle.ts";
import { runChild } from "./child.ts";
import { BENCH_FOLDER } from "./data-set.ts";
import { installHarbor } from "./harbor-install.ts";

const USAGE = `Usage: npm run corpus -- VERSION [--keep] [SCENARIO ...]

Installs that Harbor from PyPI, has it write the scenarios of the corpus, verifies the jobs and prints what changed.
Ends with 1 when figures follow no known rule, fields are new or a scenario wrote no job.

  --keep   Write to lib/core/verification/corpus/jobs/VERSION, the scenarios that the corpus is to have of it.
`;

const CORPUS = join(findProjectRoot(), "lib", "core", "verification", "corpus");
const VERSION = /^\d+\.\d+\.\d+\w*$/;

/** What `verify-corpus.ts` prints. */
const reportSchema = z.object({
  nJobs: z.number(),
  kinds: z.array(
    z.object({
      kind: z.string(),
      nFigures: z.number(),
      nConfirmed: z.number(),
      changed: z.array(z.object({ job: z.string(), path: z.string(), reason: z.string() })),
    }),
  ),
  newFields: z.array(z.string()),
});

type Report = z.infer<typeof reportSchema>;

const N_EXAMPLES = 5;

function formatReport({ nJobs, kinds, newFields }: Report): string {
  const rows = kinds.map(({ kind, nFigures, nConfirmed, changed }) =>
    [kind.padEnd(16), nFigures, nConfirmed, changed.length].map((cell) => String(cell).padStart(9)).join(""),
  );
  const changes = kinds
    .filter(({ changed }) => changed.length > 0)
    .flatMap(({ kind, changed }) => [
      `\nChanged rule: ${kind}, ${changed.length} figures`,
      ...changed.slice(0, N_EXAMPLES).map(({ job, path, reason }) => `  ${job}: ${path}\n    ${reason}`),
    ]);
  const fields = newFields.length === 0 ? [] : [`\nNew fields: ${newFields.join(", ")}`];
  const heading = `${"kind".padEnd(16)}  figures confirmed  changed`;
  const verdict = changes.length + fields.length === 0 ? ["\nNo rule changed"] : [...changes, ...fields];
  return [`${nJobs} jobs`, heading, ...rows, ...verdict, ""].join("\n");
}

/** Returns true if Harbor wrote every scenario. */
async function writeJobs(python: string, args: readonly string[]): Promise<boolean> {
  const script = join(CORPUS, "write_corpus.py");
  const { code, stdout, stderr } = await runChild(python, [script, ...args]);
  const lines = stdout.split("\n").filter((line) => line.startsWith("FAILED "));
  process.stderr.write([...lines, ...(code === 0 ? [] : [stderr.trim().slice(-2000)]), ""].join("\n"));
  return code === 0;
}

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { keep: { type: "boolean" } },
  });
  const [version = "", ...scenarios] = positionals;
  if (!VERSION.test(version)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const { program } = await installHarbor(`harbor==${version}`);
  const isKept = values.keep === true;
  const target = isKept ? join(CORPUS, "jobs", version) : join(BENCH_FOLDER, "corpus", version);
  if (!isKept) rmSync(target, { recursive: true, force: true });
  process.stderr.write(`Harbor ${version} writes its jobs, some minutes\n`);
  const isComplete = await writeJobs(join(dirname(program), "python"), [
    ...(isKept ? [] : ["--to", target]),
    ...scenarios,
  ]);
  const { code, stdout, stderr } = await runChild(process.execPath, [
    await bundleScript("verify-corpus"),
    target,
    join(CORPUS, "jobs"),
  ]);
  if (code !== 0) throw new Error(`the jobs could not be verified: ${stderr.trim().slice(-2000)}`);
  const report = reportSchema.parse(JSON.parse(stdout));
  process.stdout.write(`Harbor ${version}: ${formatReport(report)}`);
  process.stdout.write(`The jobs are in ${target}\n`);
  const isChanged = report.newFields.length > 0 || report.kinds.some(({ changed }) => changed.length > 0);
  return isComplete && !isChanged ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});
