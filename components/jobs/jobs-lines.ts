import { countAddressBytes, countPageBytes, takeFittingEach } from "@/lib/core/domain/page-bytes";
import { formatDifference } from "@/lib/core/format/agent-settings";
import { groupRef } from "@/lib/pages/address/href";
import type { JobsPage, JobsRow } from "@/lib/pages/jobs/page";

/** Groups shown per job; bytes of those of all jobs, and of a group without its names. */
const MOST_GROUPS = 30;
const MAX_GROUPS_BYTES = 1_000_000;
const GROUP_BYTES = 9_000;

/** A job with one of its groups, if it has any, as it is sent. */
export type JobsLine = ReturnType<typeof numberLines>[number];

/** A line before its place is known. */
interface PlainLine {
  /** Shared by all rows of a job, so that it is sent once. */
  readonly job: ReturnType<typeof prepareJob>;
  /** Null in a row that is only a note. */
  readonly group: ReturnType<typeof prepareGroup> | null;
  readonly nMore: number;
  /** Set on the row of a run set, which is under no job; `job` is then the newest of its jobs. */
  readonly set?: Omit<JobsPage["sets"][number], "row" | "runs"> & { readonly nShown: number };
  readonly memberOf?: string;
}

export function listJobsLines({ items, sets }: JobsPage): readonly JobsLine[] {
  const shown = takeFittingEach(
    items.map((item) => item.groups.slice(0, MOST_GROUPS)),
    MAX_GROUPS_BYTES,
    countGroupBytes,
  );
  const lines = items.flatMap((item, at): readonly PlainLine[] => {
    const groups = shown[at] ?? [];
    const nMore = item.groups.length - groups.length;
    const job = prepareJob(item);
    const rows = groups.map((group) => ({ job, group: prepareGroup(group), nMore }));
    return nMore > 0 || groups.length === 0 ? [...rows, { job, group: null, nMore }] : rows;
  });
  return numberLines(placeSets(lines, sets));
}

/** Lists a run set with its runs in place of the first of these. */
function placeSets(lines: readonly PlainLine[], sets: JobsPage["sets"]): readonly PlainLine[] {
  const nameLine = ({ job, group }: PlainLine) => (group === null ? "" : groupRef(job.key, group.group.key));
  const byRef = new Map(lines.map((line) => [nameLine(line), line]));
  const placed = new Set<string>();
  return lines.flatMap((line) => {
    const own = sets.filter(({ runs }) => runs.includes(nameLine(line)));
    if (own.length === 0) return [line];
    return own.flatMap((set) => {
      if (placed.has(set.id)) return [];
      placed.add(set.id);
      return drawSet(
        set,
        set.runs.flatMap((ref) => byRef.get(ref) ?? []),
      );
    });
  });
}

function drawSet(
  { row, runs: _runs, ...own }: JobsPage["sets"][number],
  members: readonly PlainLine[],
): readonly PlainLine[] {
  const [first] = members.toSorted((a, b) => (b.job.when?.epochMs ?? 0) - (a.job.when?.epochMs ?? 0));
  if (first === undefined) return [];
  return [
    {
      // No group of it is absent, and nothing was made from another job.
      job: { ...first.job, nGroups: 0, sourceJobs: [], ownVerdict: null },
      group: prepareGroup(row),
      nMore: 0,
      set: { ...own, nShown: members.length },
    },
    // A run is listed below its set, also if it belongs to another section.
    ...members.map((line) => ({
      ...line,
      job: { ...line.job, section: first.job.section },
      memberOf: own.id,
    })),
  ];
}

/** Adds the place of each row within its job, and if it is the last of its job or run set. */
function numberLines(lines: readonly PlainLine[]) {
  const counts = new Map<number, number>();
  return lines.map((line, at) => {
    const next = lines[at + 1];
    const { set, memberOf, job } = line;
    if (set !== undefined) return { ...line, place: 0, isLast: false };
    if (memberOf !== undefined) return { ...line, place: 0, isLast: next?.memberOf !== memberOf };
    const place = counts.get(job.rowId) ?? 0;
    counts.set(job.rowId, place + 1);
    const isSame = next?.set === undefined && next?.memberOf === undefined && next?.job.rowId === job.rowId;
    return { ...line, place, isLast: !isSame };
  });
}

/** The key is sent in the row's URLs, the names once. */
function countGroupBytes({ group, setups }: JobsRow): number {
  const { key, agent, model, source } = group;
  const settings = (setups?.differences ?? []).map(formatDifference).join("\n");
  return [key, agent, model ?? "", source ?? "", settings].reduce(
    (sum, text) => sum + countPageBytes(text),
    GROUP_BYTES + 9 * countAddressBytes(key),
  );
}

function prepareJob({ job, section }: JobsPage["items"][number]) {
  const { rowId, key, name, folder, sourceJobs, planned, nTrials, state, isRead, when, groups, report } = job;
  const { verdict } = report;
  const isOwn = verdict !== "exact" && groups.every(({ group }) => group.verdict !== verdict);
  return {
    ...{ rowId, key, name, folder, sourceJobs, planned, nTrials, state, isRead, when },
    nGroups: groups.length,
    section,
    /** Verdict of the job's own figures if no group has it; null if one has, or all are exact. */
    ownVerdict: isOwn ? verdict : null,
  };
}

function prepareGroup({ group, setups, setup: _setup, recordedPassAtK: _passAtK, ...row }: JobsRow) {
  const { key, agent, model, source, verdict } = group;
  const differences = setups === null ? null : setups.differences.map(formatDifference).join("\n");
  return { ...row, group: { key, agent, model, source, verdict }, differences };
}
