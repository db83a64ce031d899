import type { ReportDocument } from "./document";

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
