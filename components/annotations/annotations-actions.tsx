import { ForAction } from "@/components/shell/account-context";
import { ReviewThese } from "@/components/queues/review-these";
import { ButtonLink } from "@/components/ui/button";
import { annotationsHref, type AnnotationsParams } from "@/lib/addresses/annotations";
import { verifierHref } from "@/lib/addresses/review";

import { ExportMenu } from "./export-menu";

/** What can be done with the list of judgments: a queue of the trials that it shows, and files of all judgments, in and out. */
export function AnnotationsActions({
  params,
  nMatching,
  nAnnotations,
}: {
  params: AnnotationsParams;
  nMatching: number;
  /** Judgments that count, whatever the list shows. */
  nAnnotations: number;
}) {
  const [, query = ""] = annotationsHref({ ...params, open: "", page: 1 }).split("?");
  return (
    <>
      {/* An empty query would name no list. */}
      {nAnnotations === 0 ? null : (
        <ReviewThese address={{ judged: query === "" ? "page=1" : query }} nTrials={nMatching} />
      )}
      <ButtonLink href={verifierHref({})}>Verifier under review</ButtonLink>
      <ForAction action="applyImport">
        <ButtonLink href="/annotations/import">Import</ButtonLink>
      </ForAction>
      {nAnnotations === 0 ? null : <ExportMenu />}
    </>
  );
}
