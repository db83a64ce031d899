import type { Metadata } from "next";

import { DatasetsTable } from "@/components/datasets/datasets-table";
import { PageFrame } from "@/components/shell/page-frame";
import { BENCHMARKS } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { formatPlural } from "@/lib/core/format/number";
import { datasetsAddress, datasetsHref } from "@/lib/pages/datasets/address";
import { getDatasetsPage } from "@/lib/pages/datasets/list";

export const metadata: Metadata = { title: "Benchmarks" };

export default async function DatasetsRoute({ searchParams }: PageProps<"/datasets">) {
  const search = await searchParams;
  const page = await getDatasetsPage(datasetsAddress.read(search).page);
  return (
    <PageFrame
      crumbs={[{ label: BENCHMARKS.label }]}
      unknown={datasetsAddress.listUnknown(search)}
      isEmpty={page.rows.length === 0}
    >
      <PageTitle title={BENCHMARKS.label} summary={describePage(page)} />
      {page.rows.length === 0 ? (
        <Notice title="No datasets" actions={<ButtonLink href="/load-report">Load report</ButtonLink>}>
          A dataset appears once a trial of it is read. The load report lists problems.
        </Notice>
      ) : (
        <DatasetsTable rows={page.rows} />
      )}
      <Pager page={page} noun="dataset" label="Pages of the list" hrefOf={datasetsHref} />
    </PageFrame>
  );
}

function describePage({ nMatching, nUnnamed, nUnread }: Awaited<ReturnType<typeof getDatasetsPage>>): string {
  const sets = formatPlural(nMatching, "dataset");
  const unnamed = nUnnamed === 0 ? "" : `, ${formatPlural(nUnnamed, "without a name", "without a name")}`;
  const unread =
    nUnread === 0 ? "" : ` ${formatPlural(nUnread, "job is", "jobs are")} not read yet and not counted.`;
  return `${sets} in the open folders${unnamed}.${unread}`;
}
