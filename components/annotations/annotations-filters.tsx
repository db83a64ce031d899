import { CommandKey } from "@/components/shell/command-key";
import { ButtonLink } from "@/components/ui/button";
import { ListFacet } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { type Filter, type Filtered, NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { Tabs } from "@/components/ui/tabs";
import { formatPlural } from "@/lib/core/format/number";
import { annotationsHref, type AnnotationsParams } from "@/lib/pages/annotations/address";
import type { AnnotationFacet, AnnotationsPage } from "@/lib/pages/annotations/page";
import { recordedHref } from "@/lib/pages/annotations/recorded-address";
import {
  CODEBOOK_HREF,
  conflictsHref,
  QUEUES_HREF,
  verifierHref,
} from "@/lib/pages/annotations/review-address";
import { taxonomyHref } from "@/lib/pages/taxonomy/address";
import type { RecordedTotals } from "@/lib/store/tables";

import { JUDGMENT_WORDS, STANDING_WORDS } from "./judgment-words";

export function AnnotationsTabs({
  current,
  totals,
  nSaved = null,
  nQueues = null,
}: {
  current: "saved" | "queues" | "conflicts" | "verifier" | "codebook" | "recorded";
  totals: RecordedTotals;
  /** Null or absent means unknown, which is not 0. The same holds for queues. */
  nSaved?: number | null;
  nQueues?: number | null;
}) {
  return (
    <Tabs
      label="Parts of the review"
      current={current}
      tabs={[
        { id: "queues", label: "Queues", href: QUEUES_HREF, count: nQueues },
        { id: "saved", label: "Judgments", href: "/annotations", count: nSaved },
        { id: "conflicts", label: "Conflicts", href: conflictsHref({}) },
        { id: "verifier", label: "Verifier accuracy", href: verifierHref({}) },
        { id: "codebook", label: "Codebook", href: CODEBOOK_HREF },
        { id: "taxonomy", label: "Taxonomy", href: taxonomyHref({}) },
        ...(totals.nJudgments === 0
          ? []
          : [
              {
                id: "recorded",
                label: "Recorded in files",
                href: recordedHref(null),
                count: totals.nJudgments,
              },
            ]),
      ]}
    />
  );
}

const FACETS: readonly { readonly facet: AnnotationFacet; readonly label: string }[] = [
  { facet: "judgments", label: "Judgment" },
  { facet: "standings", label: "Standing" },
  { facet: "reviewers", label: "Reviewer" },
  { facet: "categories", label: "Category" },
  { facet: "jobs", label: "Job" },
];

const WORDS: Readonly<Record<string, string>> = { ...JUDGMENT_WORDS, ...STANDING_WORDS };

export function AnnotationsFilters({ page, params }: { page: AnnotationsPage; params: AnnotationsParams }) {
  return (
    <FilterBar count={formatPlural(page.place.nMatching, "judgment")}>
      <FilterText label="Filter by task, note, name" />
      {FACETS.map(({ facet, label }) => (
        <ListFacet
          key={facet}
          label={label}
          values={page.facets[facet]}
          chosen={params[facet]}
          hrefOf={(chosen) => annotationsHref(params, { [facet]: chosen })}
          wordFor={(value) => (Object.hasOwn(WORDS, value) ? (WORDS[value] ?? value) : value)}
        />
      ))}
    </FilterBar>
  );
}

const FILTERS: readonly Filter<AnnotationsParams>[] = [
  ["Text", { text: "" }],
  ...FACETS.map(({ facet, label }): Filter<AnnotationsParams> => [label, { [facet]: [] }]),
];

export function NoAnnotationMatches(list: Filtered<AnnotationsParams>) {
  return <NoMatches {...list} noun="judgment" filters={FILTERS} hrefOf={annotationsHref} />;
}

export function NoAnnotations() {
  return (
    <Notice title="No trials reviewed yet" actions={<ButtonLink href={"/"}>Open the jobs</ButtonLink>}>
      <p>
        Open any trial of a job. In the review form, choose pass, fail or defer (
        <CommandKey id="review.pass" /> <CommandKey id="review.fail" /> <CommandKey id="review.defer" />
        ), categories and a note; <CommandKey id="review.saveNext" /> saves and opens the next trial that you
        have not reviewed.
      </p>
      <p>Judgments are stored outside the job folders and never change a reward.</p>
    </Notice>
  );
}
