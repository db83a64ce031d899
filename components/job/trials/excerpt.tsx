import { Link } from "@/components/ui/link";
import type { Excerpt } from "@/lib/core/domain/search-excerpt";
import { formatPlural } from "@/lib/core/format/number";
import { trialPageHref } from "@/lib/pages/trial/address";

import type { TrialLine } from "./columns";
import { openExcerpt } from "./open-excerpt";

export function TrialExcerpt({
  jobKey,
  list,
  trial,
  excerpt,
}: Pick<TrialLine, "jobKey" | "list" | "trial"> & { excerpt: Excerpt }) {
  const { kind, key, parts, nMore } = excerpt;
  const words = (
    <>
      <span className="trial-excerpt-place">{kind === "step" ? `step ${key}` : kind}</span>
      <span className="cut trial-excerpt-text">
        {parts.map((part, at) => (at % 2 === 0 ? part : <mark key={at}>{part}</mark>))}
      </span>
      {nMore === 0 ? null : <span className="trial-excerpt-more">{formatPlural(nMore, "more step")}</span>}
    </>
  );
  if (trial.folder === "") return <span className="trial-excerpt">{words}</span>;
  return (
    <Link
      className="trial-excerpt"
      href={trialPageHref(jobKey, trial.key, { list, ...openExcerpt(excerpt) })}
      // The row's own link, above it, goes there too.
      tabIndex={-1}
    >
      {words}
    </Link>
  );
}
