import { ButtonLink } from "@/components/ui/button";
import { type Filter, NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { formatPlural } from "@/lib/core/format/number";
import { errorsHref, type ErrorsParams } from "@/lib/pages/errors/address";
import type { ErrorsPage } from "@/lib/pages/errors/page";

const FILTERS: readonly Filter<ErrorsParams>[] = [
  ["Text", { text: "" }],
  ["Cause", { causes: [] }],
  ["Agent", { agents: [] }],
  ["Job", { jobs: [] }],
];

export function NoErrors({
  page,
  params,
  count,
}: {
  page: ErrorsPage;
  params: ErrorsParams;
  count: (change: Partial<ErrorsParams>) => Promise<number>;
}) {
  if (page.scope.nTrials === 0) {
    return (
      <Notice title="No finished trials" actions={<ButtonLink href={errorsHref({})}>All jobs</ButtonLink>}>
        The chosen jobs and agents have no finished trials.
        {page.scope.nUnread === 0
          ? ""
          : ` ${formatPlural(page.scope.nUnread, "job")} ${page.scope.nUnread === 1 ? "is" : "are"} not read yet.`}
      </Notice>
    );
  }
  if (params.text !== "" || params.causes.length > 0) {
    return (
      <NoMatches
        noun="type of exception"
        plural="types of exceptions"
        params={params}
        filters={FILTERS}
        hrefOf={errorsHref}
        count={count}
      />
    );
  }
  return (
    <Notice title="No exceptions">
      All of {formatPlural(page.scope.nTrials, "finished trial")} ended without one. A trial can still fail:
      that is the verifier’s verdict, not an error.
    </Notice>
  );
}
