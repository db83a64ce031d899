import { countAddressBytes, countPageBytes, takeFittingEach } from "@/lib/core/domain/page-bytes";
import { formatDifference } from "@/lib/core/format/agent-settings";
import { groupRef } from "@/lib/pages/address/href";
import type { JobsItem, JobsPage, JobsRow } from "@/lib/pages/jobs/page";

import type { JobsLine, LineGroup } from "./cells";

/** Groups shown per job; bytes of those of all jobs, and of a group without its names. */
const MOST_GROUPS = 30;
const MAX_GROUPS_BYTES = 1_000_000;
const GROUP_BYTES = 9_000;

export function listJobsLines({ items, sets }: JobsPage): readonly JobsLine[] {
  const shown = takeFittingEach(
    items.map((item) => item.groups.slice(0, MOST_GROUPS)),
    MAX_GROUPS_BYTES,
    countGroupBytes,
  );
  const lines = items.flatMap((item, at) => {
    const groups = shown[at] ?? [];
    const nMore = item.groups.length - groups.length;
    const rows = nMore > 0 || groups.length === 0 ? [...groups, null] : groups;
    // Shared by all rows, so that it is sent once.
    const job = prepareJob(item);
    return rows.map((group, place) => ({
      job,
      group: group === null ? null : prepareGroup(group),
      place,
      isLast: place === rows.length - 1,
      nMore,
    }));
  });
  return sets.length === 0 ? lines : placeSets(lines, sets);
}

function placeSets(lines: readonly JobsLine[], sets: JobsPage["sets"]): readonly JobsLine[] {
  const byRef = new Map<string, JobsLine>();
  for (const line of lines) {
    const ref = nameLine(line);
    if (ref !== null) byRef.set(ref, line);
  }
  const setsOf = Map.groupBy(
    sets.flatMap((set) => set.runs.map((ref) => ({ ref, set }))),
    ({ ref }) => ref,
  );
  const placed = new Set<string>();
  const woven = lines.flatMap((line) => {
    const own = setsOf.get(nameLine(line) ?? "");
    if (own === undefined) return [line];
    return own.flatMap(({ set }) => {
      if (placed.has(set.id)) return [];
      placed.add(set.id);
      return drawSet(
        set,
        set.runs.flatMap((ref) => byRef.get(ref) ?? []),
      );
    });
  });
  return renumber(woven);
}

function nameLine({ job, group }: JobsLine): string | null {
  return group === null ? null : groupRef(job.key, group.group.key);
}

function drawSet(set: JobsPage["sets"][number], members: readonly JobsLine[]): readonly JobsLine[] {
  const [first] = members.toSorted((a, b) => (b.job.when?.epochMs ?? 0) - (a.job.when?.epochMs ?? 0));
  if (first === undefined) return [];
  const { row, runs: _runs, ...own } = set;
  return [
    {
      // No group of it is absent, and nothing was made from another job.
      job: { ...first.job, nGroups: 0, sourceJobs: [], ownVerdict: null },
      group: prepareGroup(row),
      place: 0,
      isLast: false,
      nMore: 0,
      set: { ...own, nShown: members.length },
    },
    ...members.map((line, at) => ({
      ...line,
      place: 0,
      isLast: at === members.length - 1,
      memberOf: own.id,
    })),
  ];
}

function renumber(lines: readonly JobsLine[]): readonly JobsLine[] {
  const counts = new Map<number, number>();
  const isOwn = ({ set, memberOf }: JobsLine) => set === undefined && memberOf === undefined;
  return lines.map((line, at) => {
    if (!isOwn(line)) return line;
    const place = counts.get(line.job.rowId) ?? 0;
    counts.set(line.job.rowId, place + 1);
    const next = lines[at + 1];
    const isLast = next === undefined || !isOwn(next) || next.job.rowId !== line.job.rowId;
    return { ...line, place, isLast };
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

function prepareJob({ job }: JobsItem): JobsLine["job"] {
  const { rowId, key, name, folder, sourceJobs, planned, nTrials, state, isRead, when, groups, report } = job;
  const { verdict } = report;
  const isOwn = verdict !== "exact" && groups.every(({ group }) => group.verdict !== verdict);
  return {
    rowId,
    key,
    name,
    folder,
    sourceJobs,
    planned,
    nTrials,
    state,
    isRead,
    when,
    nGroups: groups.length,
    ownVerdict: isOwn ? verdict : null,
  };
}

function prepareGroup({
  group,
  setups,
  setup: _setup,
  recordedPassAtK: _passAtK,
  ...row
}: JobsRow): LineGroup {
  const { key, agent, model, source, verdict } = group;
  const differences = setups === null ? null : setups.differences.map(formatDifference).join("\n");
  return { ...row, group: { key, agent, model, source, verdict }, differences };
}
