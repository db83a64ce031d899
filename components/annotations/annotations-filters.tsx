import { ButtonLink, KeyCap } from "@/components/ui/button";
import { ListFacet } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { type Filter, type Filtered, NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { Tabs } from "@/components/ui/tabs";
import { annotationsHref, type AnnotationsParams } from "@/lib/addresses/annotations";
import { recordedHref } from "@/lib/addresses/recorded";
import { formatPlural } from "@/lib/format/number";
import type { AnnotationFacet, AnnotationsPage } from "@/lib/queries/annotations/page";
import type { RecordedTotals } from "@/lib/store";

import { JUDGMENT_WORDS, STANDING_WORDS } from "./judgment-words";

/** The two kinds of judgments, never counted together. Nothing where no file of the open folders holds any. */
export function AnnotationsTabs({
  current,
  totals,
  nSaved,
}: {
  current: "saved" | "recorded";
  totals: RecordedTotals;
  /** Judgments saved here; left out or null where they are not known, which is not 0. */
  nSaved?: number | null;
}) {
  if (totals.nJudgments === 0 && current === "saved") return null;
  return (
    <Tabs
      label="Where judgments stand"
      current={current}
      tabs={[
        { id: "saved", label: "Saved here", href: "/annotations", count: nSaved ?? null },
        { id: "recorded", label: "Recorded in files", href: recordedHref(null), count: totals.nJudgments },
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

/** The filters of the annotations list. */
export function AnnotationsFilters({ page, params }: { page: AnnotationsPage; params: AnnotationsParams }) {
  return (
    <FilterBar end={formatPlural(page.place.nMatching, "judgment")}>
      <FilterText label="Filter by task, note, name" />
      {FACETS.map(({ facet, label }) => (
        <ListFacet
          key={facet}
          label={label}
          values={page.facets[facet]}
          chosen={params[facet]}
          hrefOf={(chosen) => annotationsHref(params, { [facet]: chosen })}
          wordFor={(value) => WORDS[value] ?? value}
        />
      ))}
    </FilterBar>
  );
}

/** The filters of the annotations list, each with the change that takes it off. */
const FILTERS: readonly Filter<AnnotationsParams>[] = [
  ["Text", { text: "" }],
  ...FACETS.map(({ facet, label }): Filter<AnnotationsParams> => [label, { [facet]: [] }]),
];

/** Judgments are there, but the filters leave none. */
export function NoAnnotationMatches(list: Filtered<AnnotationsParams>) {
  return <NoMatches {...list} noun="judgment" filters={FILTERS} hrefOf={annotationsHref} />;
}

/** What reviewing is and how to begin, before the first judgment. */
export function NoAnnotations() {
  return (
    <Notice title="No trial reviewed yet" actions={<ButtonLink href={"/"}>Open the jobs</ButtonLink>}>
      <p>
        Open any trial of a job. The review form at its right takes pass, fail or defer (<KeyCap>1</KeyCap>{" "}
        <KeyCap>2</KeyCap> <KeyCap>3</KeyCap>), categories and a note; <KeyCap>Ctrl ↵</KeyCap> saves it and
        opens the next trial that you have not reviewed.
      </p>
      <p>Judgments are saved in a separate file outside the job folders and never change a reward.</p>
    </Notice>
  );
}
