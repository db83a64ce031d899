import { Link } from "@/components/ui/link";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { CLASSES } from "@/lib/core/triage/classes";
import type { JobTrouble } from "@/lib/pages/triage/job-troubles";
import { trialsPageHref } from "@/lib/pages/trials/address";

import "./job-troubles.css";

export function JobTroubles({ jobKey, troubles }: { jobKey: string; troubles: readonly JobTrouble[] }) {
  if (troubles.length === 0) return null;
  return (
    <ul className="job-troubles" role="status" aria-label="Current troubles">
      {troubles.map(({ agentModel, groups, failureClass, nTrials, nRecent, sinceMs, text }) => (
        <li key={`${agentModel} ${failureClass}`}>
          <Link
            href={trialsPageHref(jobKey, {
              failureClasses: [failureClass],
              groups,
              endedFrom: sinceMs,
              sort: "started",
              descending: true,
            })}
          >
            {formatCount(nTrials)} of the last {formatPlural(nRecent, "trial")} of {agentModel}:{" "}
            {CLASSES[failureClass].words}
          </Link>
          {text === null ? null : <code>{text}</code>}
        </li>
      ))}
    </ul>
  );
}
