import { countAddressBytes, countPageBytes, takeFittingEach } from "@/lib/domain/page-bytes";
import { formatDifference } from "@/lib/format/agent-settings";
import type { JobsItem, JobsPage, JobsRow } from "@/lib/queries/jobs/page";

import type { JobsLine, LineGroup } from "./cells";

/** Groups of one job that the jobs list shows; bytes of those of all jobs, and of a group beside its names. */
const MOST_GROUPS = 30;
const MAX_GROUPS_BYTES = 1_000_000;
const GROUP_BYTES = 9_000;

/** The rows of a page: of each job as many groups as fit, and one that counts the others. */
export function listJobsLines({ items }: JobsPage): readonly JobsLine[] {
  const shown = takeFittingEach(
    items.map((item) => item.groups.slice(0, MOST_GROUPS)),
    MAX_GROUPS_BYTES,
    countGroupBytes,
  );
  return items.flatMap((item, at) => {
    const groups = shown[at] ?? [];
    const nMore = item.groups.length - groups.length;
    const rows = nMore > 0 || groups.length === 0 ? [...groups, null] : groups;
    // One for all rows, which is sent once.
    const job = prepareJob(item);
    return rows.map((group, place) => ({
      job,
      group: group === null ? null : prepareGroup(group),
      place,
      isLast: place === rows.length - 1,
      nMore,
    }));
  });
}

/** Its key is sent in the addresses of a row, its names once. */
function countGroupBytes({ group, setups }: JobsRow): number {
  const { key, agent, model, source } = group;
  const settings = (setups?.differences ?? []).map(formatDifference).join("\n");
  return [key, agent, model ?? "", source ?? "", settings].reduce(
    (sum, text) => sum + countPageBytes(text),
    GROUP_BYTES + 9 * countAddressBytes(key),
  );
}

/** What the rows of a job draw of it. */
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
