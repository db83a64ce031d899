import { ListChecks } from "lucide-react";

import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { formatCount } from "@/lib/core/format/number";
import { newQueueHref } from "@/lib/pages/annotations/review-address";
import { errorsHref } from "@/lib/pages/errors/address";
import { scannersHref } from "@/lib/pages/errors/scanners-address";
import { taxonomyHref } from "@/lib/pages/taxonomy/address";
import type { TriageParams } from "@/lib/pages/triage/address";
import type { TriagePage } from "@/lib/pages/triage/page";
import { writeTrialsQuery } from "@/lib/pages/trials/address";

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
