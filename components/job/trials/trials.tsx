import { Link } from "@/components/ui/link";
import { formatPlural } from "@/lib/core/format/number";
import { recordedHref } from "@/lib/pages/annotations/address";
import type { JobPage } from "@/lib/pages/job/page";
import type { TrialsPanel } from "@/lib/pages/job/trials";
import type { TrialsParams } from "@/lib/pages/trials/address";

import type { ListTab } from "../filters";
import { GroupAgent } from "../group-cells";
import { NoTrials } from "./no-trials";
import { TrialsList } from "./trials-list";

export function JobTrials({ page, panel, list }: ListTab<TrialsPanel, TrialsParams>) {
  const { key } = page.job;
  if (panel.nTrials === 0) return <NoTrials job={page.job} />;
  const groups = new Map(page.groups.map((group) => [group.group.key, group]));
  return (
    <TrialsList
      caption="Trials of this job"
      panel={panel}
      list={{ ...list, jobKey: key }}
      doubts={page.doubts}
      describe={(row) => ({
        jobKey: key,
        jobName: null,
        group: groups.get(row.groupKey) ?? null,
        part: groups.get(row.setup?.key ?? "") ?? null,
      })}
      wordForGroup={(groupKey) => <GroupAgent groups={page.groups} groupKey={groupKey} />}
      note={<RecordedNote job={page.job} />}
    />
  );
}

/** Says that files hold judgments too, which the judgment column and filter omit. */
function RecordedNote({ job: { key, recordedJudgments } }: Pick<JobPage, "job">) {
  const { nJudgments, nTrials } = recordedJudgments;
  if (nJudgments === 0) return null;
  return (
    <p className="caption">
      <Link href={recordedHref(key)}>{formatPlural(nJudgments, "judgment")}</Link> of{" "}
      {formatPlural(nTrials, "trial")} {nJudgments === 1 ? "is" : "are"} recorded in files. They are separate
      from the judgments saved here.
    </p>
  );
}
