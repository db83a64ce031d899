import type { Metadata } from "next";

import { AuditLog, NoAccounts } from "@/components/accounts/notices";
import { PageFrame } from "@/components/shell/page-frame";
import { ButtonLink } from "@/components/ui/button";
import { PageTitle } from "@/components/ui/page-title";
import { auditAddress, auditHref } from "@/lib/pages/accounts/address";
import { getAuditPage } from "@/lib/pages/accounts/pages";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditRoute({ searchParams }: PageProps<"/accounts/audit">) {
  const search = await searchParams;
  const { before } = auditAddress.read(search);
  const page = await getAuditPage(before);
  return (
    <PageFrame
      crumbs={[{ label: "Accounts", href: "/accounts" }, { label: "Audit log" }]}
      unknown={auditAddress.listUnknown(search)}
    >
      <PageTitle
        title="Audit log"
        summary="Changes, sign-ins and refusals, newest first. Entries are never removed. More than 60 refusals a minute of one account share one line."
        actions={
          page === null ? undefined : (
            <ButtonLink href="/accounts/audit.csv" download>
              Download CSV
            </ButtonLink>
          )
        }
      />
      {page === null ? <NoAccounts /> : <AuditLog events={page.events} />}
      <p className="row">
        {before === null ? null : <ButtonLink href={auditHref(null)}>Newest events</ButtonLink>}
        {page === null || page.next === null ? null : (
          <ButtonLink href={auditHref(page.next)}>Older events</ButtonLink>
        )}
      </p>
    </PageFrame>
  );
}
