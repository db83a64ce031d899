import { jobTrialsHref } from "@/lib/addresses/job";
import { Section } from "@/components/ui/page-title";
import { formatCount, formatPlural } from "@/lib/format/number";
import type { FileTags } from "@/lib/queries/errors/tags";

import { TagsTable } from "./tags-table";

/** Tags that verifiers and judges wrote into the trials' details and analyses. */
export function FileTagsTable({ tags }: { tags: FileTags }) {
  const note = `${formatCount(tags.nTagged)} of ${formatPlural(tags.nRead, "finished trial")} tagged`;
  return (
    <Section title="Tags in the trials’ files" note={tags.rows.length === 0 ? undefined : note}>
      {tags.rows.length === 0 ? (
        <p className="muted">{describeNone(tags)}</p>
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
            once per category.{tags.nToRead === 0 ? "" : ` ${describeRest(tags)}`}
          </p>
        </>
      )}
    </Section>
  );
}

function describeNone(tags: FileTags): string {
  if (tags.nToRead > 0) return describeRest(tags);
  return "No verifier or judge left a tag in these trials.";
}

function describeRest({ nToRead }: FileTags): string {
  return `The files of ${formatPlural(nToRead, "trial is", "trials are")} still being read; this page updates automatically.`;
}
