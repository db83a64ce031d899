import { Notice } from "@/components/ui/notice";
import type { JobPage } from "@/lib/pages/job/page";

export function NoTrials({ job }: { job: Pick<JobPage["job"], "hasRecordedStats"> }) {
  return (
    <Notice title="No trials here">
      Harbor writes one folder for each trial below the job, and this job has none.{" "}
      {job.hasRecordedStats
        ? "The figures that result.json states are under Score check."
        : "It has no readable result.json either, so nothing says how it went."}
    </Notice>
  );
}
