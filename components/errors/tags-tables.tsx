import type { Route } from "next";

import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";
import { annotationsHref } from "@/lib/addresses/annotations";
import { jobTrialsHref } from "@/lib/addresses/job";
import { countPageBytes, takeFitting } from "@/lib/domain/page-bytes";
import { formatCount, formatPlural } from "@/lib/format/number";
import type { FileTags, ReviewerTags, TagRow } from "@/lib/queries/errors/tags";

import { describeRate, describeUnread, formatRate, SOURCE_WORDS } from "./error-words";
import { RatePlot, RateScale, selectRateEnd } from "./rate-plot";

/** Tags that verifiers and judges wrote into the trials' details and analyses. */
export function FileTagsTable({ tags }: { tags: FileTags }) {
  const note = `${formatCount(tags.nTagged)} of ${formatPlural(tags.nRead, "finished trial")} tagged`;
  return (
    <Section title="Tags in the trials’ files" note={tags.rows.length === 0 ? undefined : note}>
      {tags.rows.length === 0 ? (
        <p className="muted">
          {describeUnread(tags.nToRead) || "No verifier or judge left a tag in these trials."}
        </p>
      ) : (
        <>
          <TagsTable
            caption="Tags by verifiers and judges"
            rows={tags.rows}
            nChecked={tags.nRead}
            withSource
            hrefOf={(row) => {
              const only = row.jobs.length === 1 ? row.jobs[0] : undefined;
              return only === undefined ? null : jobTrialsHref(only.jobKey, { tags: [row.category] });
            }}
          />
          <p className="caption errors-note">
            Verifier: stated by the verifier’s details. Judge: failed checks of an analysis. Each trial counts
            once per category. {describeUnread(tags.nToRead)}
          </p>
        </>
      )}
    </Section>
  );
}

/** Below this many judged trials the intervals say little, and the page says so. */
const FEW = 10;

/** Categories that reviewers gave to trials they judged fail or defer. */
export function ReviewerTagsTable({ tags, jobs }: { tags: ReviewerTags; jobs: readonly string[] }) {
  const note = `${formatCount(tags.nFailedOrDeferred)} failed or deferred of ${formatPlural(tags.nReviewed, "reviewed trial")}`;
  return (
    <Section title="Causes given by reviewers" note={tags.nReviewed === 0 ? undefined : note}>
      {tags.rows.length === 0 ? (
        <p className="muted">{describeNoReviews(tags)}</p>
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

function describeNoReviews(tags: ReviewerTags): string {
  if (tags.problem !== null) return tags.problem;
  if (tags.nReviewed === 0)
    return "Nobody has reviewed these trials. Categories given in the review form of a trial are counted here.";
  return "No reviewer gave a category to a failed or deferred trial here.";
}

/** Bytes of all rows, and of a row beside its texts. */
const MAX_ROWS_BYTES = 200_000;
const ROW_BYTES = 1_000;

/** Categories with their source, counts and rates; `hrefOf` leads to the trials behind a row, null where several jobs hold them. */
function TagsTable({
  caption,
  rows: all,
  nChecked,
  withSource,
  hrefOf,
}: {
  caption: string;
  rows: readonly TagRow[];
  nChecked: number;
  withSource: boolean;
  hrefOf: (row: TagRow) => Route | null;
}) {
  const rows = takeFitting(
    all,
    MAX_ROWS_BYTES,
    (row) => ROW_BYTES + countPageBytes(row.category) + countPageBytes(hrefOf(row) ?? ""),
  );
  const end = selectRateEnd(rows.map(({ rate }) => rate));
  return (
    <>
      <Table
        caption={caption}
        compact
        columns={[
          { id: "category", label: "Category" },
          ...(withSource ? [{ id: "source", label: "Source" }] : []),
          { id: "trials", label: "Trials", numeric: true },
          { id: "rate", label: `% of ${formatCount(nChecked)}`, numeric: true },
          { id: "interval", label: <RateScale end={end} width={140} /> },
        ]}
      >
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.source} ${row.category}`}>
              <td className="wrap">{row.category}</td>
              {withSource ? <td>{SOURCE_WORDS[row.source]}</td> : null}
              <td className="numeric">
                <TagLink href={hrefOf(row)} count={row.nTrials} />
              </td>
              <td className="numeric" title={describeRate(row.rate)}>
                {formatRate(row.rate)}
              </td>
              <td className="interval-cell">
                <RatePlot rate={row.rate} end={end} width={140} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <CutNote shown={rows.length} total={all.length}>
        Choose jobs or agents above to see the others.
      </CutNote>
    </>
  );
}

function TagLink({ href, count }: { href: Route | null; count: number }) {
  if (href === null) return formatCount(count);
  return <Link href={href}>{formatCount(count)}</Link>;
}
