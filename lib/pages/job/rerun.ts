import "server-only";
import { classifyCause, type ExceptionCause } from "@/lib/core/domain/exception-cause";
import { isLocalFile } from "@/lib/read/buckets";
import { type IndexStore, type JobHead, readOwnExceptions } from "@/lib/store/tables";

const NOT_OF_AGENT: ReadonlySet<ExceptionCause> = new Set<ExceptionCause>([
  "infrastructure",
  "provider",
  "verifier",
  "cancelled",
]);

/** Control and format characters, which a terminal may obey or hide when pasted. */
const UNSAFE = /[\p{Cc}\p{Cf}]/u;

const MOST_TYPES = 60;

export type Rerun = NonNullable<Awaited<ReturnType<typeof getRerun>>>;

/**
 * Lists exception types by which `harbor jobs resume -f` runs trials again: environment, provider and verifier first. Harbor reads a
 * trial's own exception, not those of its steps. Null without any, while the job runs, because Harbor deletes trials without a
 * result, and for jobs that Harbor cannot resume.
 */
export async function getRerun(store: IndexStore, job: JobHead) {
  if (job.kind !== "harbor" || job.state === "running" || UNSAFE.test(job.path)) return null;
  if (!(await isLocalFile(`${job.path}/config.json`))) return null;
  const types = (await readOwnExceptions(store, job.rowId)).map((own) => {
    const cause = classifyCause(own.type);
    return { ...own, cause, isUsual: NOT_OF_AGENT.has(cause) };
  });
  const shown = types
    .filter(({ type }) => !UNSAFE.test(type))
    .toSorted((a, b) => Number(b.isUsual) - Number(a.isUsual) || b.nTrials - a.nTrials);
  return shown.length === 0
    ? null
    : { folder: job.path, types: shown.slice(0, MOST_TYPES), nTypes: shown.length };
}
