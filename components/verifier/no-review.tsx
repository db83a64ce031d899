import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/page-title";
import { newQueueHref, QUEUES_HREF } from "@/lib/pages/annotations/review-address";
import type { prepareVerifierPage } from "@/lib/pages/verifier/view";

import { ConfusionTable } from "./verdict-section";

export function NoReview({
  problem,
  nJudged,
  byHand,
}: Pick<ReturnType<typeof prepareVerifierPage>, "problem" | "byHand"> & { nJudged: number }) {
  return (
    <>
      <Notice
        title={problem?.title ?? (nJudged === 0 ? "No labels yet" : "No labels from random samples")}
        actions={
          <>
            <ForAction action="makeQueueAction">
              <ButtonLink look="main" href={newQueueHref({})}>
                Draw a queue
              </ButtonLink>
            </ForAction>
            <ButtonLink href={QUEUES_HREF}>All queues</ButtonLink>
          </>
        }
      >
        {problem === null ? (
          <p>
            Rates and a corrected score require randomly sampled trials; hand-picked ones do not represent the
            others. Make a queue with a random or stratified sample and judge it. Five labels of trials that
            the verifier passed and five of others give a first score.
          </p>
        ) : (
          <p>{problem.advice}</p>
        )}
      </Notice>
      {byHand === null ? null : (
        <Section title="Labels not from random samples" note="counts only, no rates">
          <ConfusionTable cells={byHand} caption="Labels not from random samples, by verifier and human" />
        </Section>
      )}
    </>
  );
}
