import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os";
import { dirname } from "node:path";

/** A table of the report. Cells are text that is ready to print. */
export interface Table {
  readonly title: string;
  /** How to read it, a sentence each. */
  readonly notes: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What a part of the harness found: tables to read, raw numbers to compute with, and what went wrong. */
export interface PartResult {
  readonly tables: readonly Table[];
  readonly raw: unknown;
  /** A sentence for each measurement that failed while the others went on. */
  readonly failures: readonly string[];
}

/** Where and on what the numbers were measured. */
export interface Environment {
  readonly startedAt: string;
  readonly commit: string;
  readonly node: string;
  readonly system: string;
  readonly processors: string;
  readonly memoryGb: number;
  /** Load average over one minute before the first measurement: well below 1 on a quiet machine. */
  readonly load: number;
}

/** Reads the machine, the commit and the versions. */
export function readEnvironment(root: string): Environment {
  return {
    startedAt: new Date().toISOString(),
    commit: readCommit(root),
    node: process.version,
    system: `${platform()} ${release()}`,
    processors: `${availableParallelism()} x ${cpus()[0]?.model.trim() ?? "unknown"}`,
    memoryGb: Math.round(totalmem() / 1e9),
    load: loadavg()[0] ?? 0,
  };
}

function readCommit(root: string): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  try {
    const isChanged = git("status", "--porcelain", "--untracked-files=no") !== "";
    return `${git("rev-parse", "--short", "HEAD")}${isChanged ? " with uncommitted changes" : ""}`;
  } catch {
    return "unknown";
  }
}

/** The report as Markdown. */
export function formatReport(environment: Environment, parts: ReadonlyMap<string, PartResult>): string {
  const { startedAt, commit, node, system, processors, memoryGb, load } = environment;
  const head = [
    `# Measurements of ${startedAt.slice(0, 16).replace("T", " ")} UTC`,
    `Commit ${commit}. Node ${node}, ${system}, ${processors}, ${memoryGb} GB; load before the first measurement ` +
      `${load.toFixed(2)}. All job folders are synthetic, made by Assay's own generator.`,
    "Several runs are given as median (min..max).",
  ];
  const tables = [...parts.values()].flatMap((part) => part.tables.map(formatTable));
  const failures = [...parts].flatMap(([name, part]) =>
    part.failures.map((failure) => `- ${name}: ${failure}`),
  );
  const failed = failures.length === 0 ? [] : [`## Failed\n\n${failures.join("\n")}`];
  return `${[...head, ...tables, ...failed].join("\n\n")}\n`;
}

function formatTable({ title, notes, columns, rows }: Table): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const table = [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
  return [`## ${title}`, ...notes, table].join("\n\n");
}

/** Writes `<base>.md` and `<base>.json`. */
export function writeReport(
  base: string,
  environment: Environment,
  parts: ReadonlyMap<string, PartResult>,
): void {
  mkdirSync(dirname(base), { recursive: true });
  writeFileSync(`${base}.md`, formatReport(environment, parts));
  const raw = [...parts].map(([name, { raw: values, failures }]) => ({ part: name, failures, values }));
  writeFileSync(`${base}.json`, `${JSON.stringify({ environment, parts: raw }, null, 1)}\n`);
}
