import { Link } from "@/components/ui/link";
import { jobTrialsHref } from "@/lib/addresses/job";
import { formatCount, formatPlural } from "@/lib/format/number";
import { FAILURE_WORDS } from "@/lib/format/words";
import type { Trouble } from "@/lib/triage/troubles";

import "./job-troubles.css";

/** What most of each agent's latest trials failed by while the job runs; each leads to these trials. */
export function JobTroubles({
  jobKey,
  troubles,
}: {
  jobKey: string;
  troubles: readonly (Trouble & { readonly agent: string })[];
}) {
  if (troubles.length === 0) return null;
  return (
    <ul className="job-troubles" role="status" aria-label="What goes wrong now">
      {troubles.map(({ agentModel, agent, failureClass, nTrials, nRecent, text }) => (
        <li key={`${agentModel} ${failureClass}`}>
          <Link
            href={jobTrialsHref(jobKey, {
              failureClasses: [failureClass],
              agents: [agent],
              trialSort: "started",
              descending: true,
            })}
          >
            {formatCount(nTrials)} of the last {formatPlural(nRecent, "trial")} of {agentModel}:{" "}
            {FAILURE_WORDS[failureClass]}
          </Link>
          {text === null ? null : <code>{text}</code>}
        </li>
      ))}
    </ul>
  );
}
