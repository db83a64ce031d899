import type { Metadata } from "next";

import { PageFrame } from "@/components/shell/page-frame";
import { RUNS } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <PageFrame crumbs={[RUNS, { label: "Not found" }]}>
      <PageTitle title="Page not found" />
      <Notice title="No such page" actions={<ButtonLink href="/">All jobs</ButtonLink>}>
        The link may be incomplete, or the job was renamed or deleted.
      </Notice>
    </PageFrame>
  );
}
