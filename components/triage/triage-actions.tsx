import { ListChecks } from "lucide-react";

import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { errorsHref } from "@/lib/addresses/errors";
import { writeTrialsQuery } from "@/lib/addresses/job";
import { newQueueHref } from "@/lib/addresses/review";
import { scannersHref } from "@/lib/addresses/scanners";
import { taxonomyHref } from "@/lib/addresses/taxonomy";
import type { TriageParams } from "@/lib/addresses/triage";
import { formatCount } from "@/lib/format/number";
import type { TriagePage } from "@/lib/queries/triage/page";

import { selectTrials } from "./select-trials";

export function TriageActions({ page, params }: { page: TriagePage; params: TriageParams }) {
  const { unexplained } = page;
  return (
    <>
      <ButtonLink href={scannersHref()}>Scanners</ButtonLink>
      <ButtonLink href={errorsHref({ jobs: params.jobs, agents: params.agents })}>
        Exceptions by type
      </ButtonLink>
      <ButtonLink href={taxonomyHref({ jobs: params.jobs, agents: params.agents })}>Taxonomy</ButtonLink>
      {unexplained === null ? null : (
        <ForAction action="makeQueueAction">
          <ButtonLink
            href={newQueueHref({ list: writeTrialsQuery(selectTrials(unexplained, params, page)) })}
            title="Make a queue of the trials that no rule explains"
          >
            <ListChecks size={16} aria-hidden />
            Review {formatCount(unexplained.nTrials)} unexplained
          </ButtonLink>
        </ForAction>
      )}
    </>
  );
}
