import { Notice } from "@/components/ui/notice";
import type { JobPage } from "@/lib/pages/job/page";

export function NoTrials({ job }: { job: Pick<JobPage["job"], "hasRecordedStats"> }) {
  return (
    <Notice title="No trials">
      Harbor writes one folder per trial into the job folder. This job has none.{" "}
      {job.hasRecordedStats
        ? "Score check shows the figures of result.json."
        : "It has no readable result.json either."}
    </Notice>
  );
}
