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
        title={problem?.title ?? (nJudged === 0 ? "No labels yet" : "No label was drawn by chance")}
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
            Rates and a corrected score need trials drawn by chance: hand-picked ones, such as failures
            somebody wondered about, say nothing of the others. Make a queue with a random or stratified
            sample and judge it; five labels of trials that the verifier passed and five of others give a
            first score.
          </p>
        ) : (
          <p>{problem.advice}</p>
        )}
      </Notice>
      {byHand === null ? null : (
        <Section title="Labels that were not drawn by chance" note="counts alone: no rate follows from them">
          <ConfusionTable
            cells={byHand}
            caption="Labels that were not drawn by chance, by verifier and human"
          />
        </Section>
      )}
    </>
  );
}
