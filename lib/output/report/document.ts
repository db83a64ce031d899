import { z } from "zod";

import { SCORING_CHOICES } from "@/lib/core/domain/scoring-choice";

export const REPORT_SCHEMA = "assay.report/2";

const runSchema = z.object({ job: z.int().nonnegative(), group: z.string() });

const reportDocument = z.object({
  schema: z.literal(REPORT_SCHEMA),
  assay_version: z.string(),
  /** Version of the classification rules; absent in reports of earlier programs, which did not record it. */
  rules: z.string().optional(),
  /** The compared groups and the settings; `job` is an index into `jobs`. */
  inputs: z.object({
    groups: z
      .array(
        z.object({ name: z.string(), given_name: z.string().nullable(), runs: z.array(runSchema).min(1) }),
      )
      .min(2),
    key: z.string(),
    threshold: z.number(),
    missing: z.enum(["zero", "exclude"]),
    rule: z.enum(SCORING_CHOICES).default("recorded"),
    tasks: z.enum(["common", "own"]),
    summation: z.enum(["cpython-3.12", "sequential"]),
  }),
  /** The command's arguments, and its folders relative to the report. Null in a report that a page wrote. */
  command: z.object({ arguments: z.array(z.string()), folders: z.array(z.string()) }).nullable(),
  /** Every job with the hashes of its input files; `files` is null where they are too many to list. */
  jobs: z.array(
    z.object({
      name: z.string(),
      uuid: z.string().nullable(),
      n_files: z.int(),
      sha256: z.string(),
      files: z.array(z.tuple([z.string(), z.string()])).nullable(),
    }),
  ),
  score_checks: z.array(z.object({ name: z.string(), n_figures: z.int(), n_exact: z.int() })),
  /** The comparison as `assay compare --json` prints it. */
  comparison: z.record(z.string(), z.json()),
});

/** A report as JSON (assay.report/2): enough to recompute it and to list what changed. */
export type ReportDocument = z.infer<typeof reportDocument>;

const START = '<script type="application/json" id="assay-report">';
const END = "</script>";

/**
 * Returns the document in a report's HTML; null without one, or without one of this version's shape.
 * @param html - whole text of any file
 */
export function readReportDocument(html: string): ReportDocument | null {
  const start = html.indexOf(START);
  const end = start === -1 ? -1 : html.indexOf(END, start);
  if (end === -1) return null;
  try {
    return reportDocument.parse(JSON.parse(html.slice(start + START.length, end)));
  } catch (error) {
    // RangeError: nested deeper than anything Assay writes.
    if (error instanceof SyntaxError || error instanceof RangeError || error instanceof z.ZodError)
      return null;
    throw error;
  }
}

/** Returns the element that {@link readReportDocument} finds. It escapes all text, so that none can end the element. */
export function writeReportDocument(document: ReportDocument): string {
  return `${START}${JSON.stringify(document).replaceAll("<", String.raw`\u003c`)}${END}`;
}

interface ReportDifference {
  readonly kind: "file" | "figure";
  readonly detail: string;
}

/** Returns the differences between a report and its recomputation; empty if the report is still valid. */
export function compareReports(then: ReportDocument, now: ReportDocument): readonly ReportDifference[] {
  return [...compareFiles(then, now), ...compareFigures(then, now)];
}

function compareFiles(then: ReportDocument, now: ReportDocument): ReportDifference[] {
  return then.jobs.flatMap((job, at): ReportDifference[] => {
    const other = now.jobs[at];
    if (other === undefined || other.sha256 === job.sha256) return [];
    if (job.files === null || other.files === null) {
      const detail = `${job.name}: the hash of its ${String(job.n_files)} files was ${job.sha256}, now ${other.sha256} of ${String(other.n_files)} files.`;
      return [{ kind: "file", detail }];
    }
    const [before, after] = [new Map(job.files), new Map(other.files)];
    const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
    return paths.flatMap((path): ReportDifference[] => {
      const [was, is] = [before.get(path), after.get(path)];
      if (was === is) return [];
      const change =
        was === undefined
          ? "did not exist"
          : is === undefined
            ? "is missing or cannot be read"
            : `has another SHA-256: it was ${was}, now ${is}`;
      return [{ kind: "file", detail: `${job.name}/${path} ${change}.` }];
    });
  });
}

function compareFigures(then: ReportDocument, now: ReportDocument): ReportDifference[] {
  const compared = ({ inputs, score_checks, comparison }: ReportDocument) => ({
    names: inputs.groups.map(({ name }) => name),
    score_checks,
    comparison,
  });
  return [...walk("", compared(then), compared(now))].map((detail) => ({ kind: "figure", detail }));
}

function* walk(path: string, then: unknown, now: unknown): Generator<string> {
  if (then === now) return;
  if (isBranch(then) && isBranch(now) && Array.isArray(then) === Array.isArray(now)) {
    const names = new Set([...Object.keys(then), ...Object.keys(now)]);
    for (const name of names) {
      const at = Array.isArray(then) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
      yield* walk(at, Reflect.get(then, name), Reflect.get(now, name));
    }
    return;
  }
  yield `${path} was ${write(then)}, now ${write(now)}.`;
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

const LONGEST_VALUE = 200;

function write(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value).slice(0, LONGEST_VALUE);
}
