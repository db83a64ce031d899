import type { ReactNode } from "react";

import { PartPager } from "@/components/ui/pager";
import { ShowAll } from "@/components/ui/show-all";
import type { ListPart } from "@/lib/core/domain/list-page";
import { PART_SIZES, type PartedList } from "@/lib/core/domain/trial-lists";
import { openArtifactHref, openTrialHref, type TrialParams } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

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

export interface TrialAt {
  readonly page: TrialPage;
  readonly search: TrialParams;
}

const ROWS = {
  keys: { noun: "reward key", plural: "reward keys" },
  dimensions: { noun: "dimension or criterion", plural: "dimensions and criteria" },
  tests: { noun: "test", plural: "tests" },
  tags: { noun: "error tag", plural: "error tags" },
  checks: { noun: "check", plural: "checks" },
} as const satisfies Record<PartedList, object>;

export function ListPager({
  at: { page, search },
  list,
  part,
}: {
  at: TrialAt;
  list: PartedList;
  part: ListPart;
}) {
  return (
    <PartPager
      part={part}
      size={PART_SIZES[list]}
      {...ROWS[list]}
      label={`Pages of the ${ROWS[list].plural}`}
      hrefOf={(from) => `${openTrialHref(page.at, { ...search, [list]: from })}#${list}`}
    />
  );
}

export function ShowAllOf({ page, file }: { page: TrialPage; file: string | null }) {
  if (file === null || !page.cutFiles.includes(file)) return null;
  return <ShowAll href={openArtifactHref(page.at, file)} file={file} />;
}
