import { errorsHref, type ErrorsParams } from "@/lib/addresses/errors";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { formatPlural } from "@/lib/format/number";
import type { ErrorsPage } from "@/lib/queries/errors/page";

/** Why no exception is listed: no trials, none failed, or the filter leaves none. */
export function NoErrors({ page, params }: { page: ErrorsPage; params: ErrorsParams }) {
  if (page.scope.nTrials === 0) {
    return (
      <Notice title="No finished trials" actions={<ButtonLink href="/errors">All jobs</ButtonLink>}>
        The chosen jobs and agents have no finished trial, so there is nothing to count.
        {page.scope.nUnread === 0
          ? ""
          : ` ${formatPlural(page.scope.nUnread, "job")} ${page.scope.nUnread === 1 ? "is" : "are"} not read yet.`}
      </Notice>
    );
  }
  const isFiltered = params.text !== "" || params.causes.length > 0;
  if (isFiltered) {
    return (
      <Notice
        title="No exception matches"
        actions={
          <ButtonLink href={errorsHref(params, { text: "", causes: [], open: "" })}>
            Clear text and cause
          </ButtonLink>
        }
      >
        {formatPlural(page.scope.nTrials, "finished trial")} were checked.
      </Notice>
    );
  }
  return (
    <Notice title="No exceptions">
      All of {formatPlural(page.scope.nTrials, "finished trial")} ended without one. A trial can still have
      failed: that is the verifier’s verdict, not an error.
    </Notice>
  );
}
