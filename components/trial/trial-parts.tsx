import type { ReactNode } from "react";

import { Link } from "@/components/ui/link";
import { PartPager } from "@/components/ui/pager";
import { ShowAll } from "@/components/ui/show-all";
import type { ListPart } from "@/lib/core/domain/list-page";
import type { Suggestion } from "@/lib/core/domain/suggestion";
import { PART_SIZES, type PartedList } from "@/lib/core/domain/trial-lists";
import type { LogPlace } from "@/lib/core/domain/verifier-check";
import { formatCount } from "@/lib/core/format/number";
import type { TrialAnswers } from "@/lib/pages/annotations/suggestions";
import { logLink, openArtifactHref, openTrialHref, type TrialParams } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import { SuggestionAnswers } from "./suggestion-answer";

/** A trial's page with what its address asks for. */
export type ShownTrial = TrialPage & {
  readonly search: TrialParams;
  readonly answers: TrialAnswers | null;
};

export function AsideSection({
  title,
  note,
  id,
  children,
}: {
  title: string;
  note?: ReactNode;
  id?: string | undefined;
  children: ReactNode;
}) {
  return (
    <section className="aside-section" aria-label={title} id={id}>
      <div className="aside-head">
        <h2>{title}</h2>
        {note === undefined ? null : <span className="caption">{note}</span>}
      </div>
      {children}
    </section>
  );
}

/** A tool's or reviewer's statement on the trial, with the reviewers' agreement. */
export function Tag({
  page,
  name,
  source,
  title,
  suggestion,
  label = name,
  children,
}: {
  page: ShownTrial;
  name: string;
  source: string;
  title?: string;
  suggestion: Suggestion | null;
  label?: string;
  children?: ReactNode;
}) {
  return (
    <li>
      <span className="row tag-head" title={title}>
        {name}
        <span className="caption">{source}</span>
      </span>
      {children}
      {suggestion === null ? null : (
        <SuggestionAnswers of={page.answers} suggestion={suggestion} label={label} />
      )}
    </li>
  );
}

const ROWS = {
  keys: { noun: "reward key", plural: "reward keys" },
  dimensions: { noun: "dimension or criterion", plural: "dimensions and criteria" },
  tests: { noun: "test", plural: "tests" },
  tags: { noun: "error tag", plural: "error tags" },
  checks: { noun: "check", plural: "checks" },
} as const satisfies Record<PartedList, object>;

export function ListPager({
  page: { at, search },
  list,
  part,
}: {
  page: ShownTrial;
  list: PartedList;
  part: ListPart;
}) {
  return (
    <PartPager
      part={part}
      size={PART_SIZES[list]}
      {...ROWS[list]}
      label={`Pages of the ${ROWS[list].plural}`}
      hrefOf={(from) => `${openTrialHref(at, { ...search, [list]: from })}#${list}`}
    />
  );
}

export function ShowAllOf({ page, file }: { page: TrialPage; file: string | null }) {
  if (file === null || !page.cutFiles.includes(file)) return null;
  return <ShowAll href={openArtifactHref(page.at, file)} file={file} />;
}

export function LogPlaceLink({ page, place }: { page: TrialPage; place: LogPlace }) {
  return (
    <Link href={openTrialHref(page.at, logLink(place))} mode="stay">
      {place.file}
      {place.line === null ? "" : `, line ${formatCount(place.line)}`}
    </Link>
  );
}
