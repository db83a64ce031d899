import { ReviewThese } from "@/components/queues/review-these";
import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { annotationsHref, type AnnotationsParams } from "@/lib/pages/annotations/address";

import { ExportMenu } from "./export-menu";

export function AnnotationsActions({
  params,
  nMatching,
  nAnnotations,
}: {
  params: AnnotationsParams;
  nMatching: number;
  nAnnotations: number;
}) {
  const [, query = ""] = annotationsHref({ ...params, open: "", page: 1 }).split("?");
  return (
    <>
      {/* An empty query would name no list. */}
      {nAnnotations === 0 ? null : (
        <ReviewThese address={{ judged: query === "" ? "page=1" : query }} nTrials={nMatching} />
      )}
      <ForAction action="applyImport">
        <ButtonLink href="/annotations/import">Import</ButtonLink>
      </ForAction>
      {nAnnotations === 0 ? null : <ExportMenu />}
    </>
  );
}
