import { annotationsHref } from "@/lib/addresses/annotations";
import { Section } from "@/components/ui/page-title";
import { formatCount, formatPlural } from "@/lib/format/number";
import type { ReviewerTags } from "@/lib/queries/errors/tags";

import { TagsTable } from "./tags-table";

/** Below this many judged trials the intervals say little, and the page says so. */
const FEW = 10;

/** Categories that reviewers gave to trials they judged fail or defer. */
export function ReviewerTagsTable({ tags, jobs }: { tags: ReviewerTags; jobs: readonly string[] }) {
  const note = `${formatCount(tags.nFailedOrDeferred)} failed or deferred of ${formatPlural(tags.nReviewed, "reviewed trial")}`;
  return (
    <Section title="Causes given by reviewers" note={tags.nReviewed === 0 ? undefined : note}>
      {tags.rows.length === 0 ? (
        <p className="muted">{describeNone(tags)}</p>
      ) : (
        <>
          <TagsTable
            caption="Categories given by reviewers"
            rows={tags.rows}
            nChecked={tags.nFailedOrDeferred}
            withSource={false}
            hrefOf={(row) =>
              annotationsHref(
                {},
                {
                  categories: [row.category],
                  jobs: jobs.length === 0 ? [] : row.jobs.map(({ jobName }) => jobName),
                },
              )
            }
          />
          <p className="caption errors-note">
            A trial can have more than one category.
            {tags.nFailedOrDeferred < FEW
              ? ` ${formatPlural(tags.nFailedOrDeferred, "trial")} are few, so the intervals are wide.`
              : ""}{" "}
            {tags.nNewLately === 0
              ? `No new category in the last ${formatPlural(tags.nLately, "judgment")}.`
              : `Still growing: ${formatPlural(tags.nNewLately, "new category", "new categories")} in the last ${formatPlural(tags.nLately, "judgment")}.`}
          </p>
        </>
      )}
    </Section>
  );
}

function describeNone(tags: ReviewerTags): string {
  if (tags.problem !== null) return tags.problem;
  if (tags.nReviewed === 0)
    return "Nobody has reviewed these trials. Categories given in the review form of a trial are counted here.";
  return "No reviewer gave a category to a failed or deferred trial here.";
}
