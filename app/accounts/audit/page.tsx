import type { Metadata } from "next";

import { AuditLog } from "@/components/accounts/audit-log";
import { NoAccounts } from "@/components/accounts/no-accounts";
import { PageFrame } from "@/components/shell/page-frame";
import { ButtonLink } from "@/components/ui/button";
import { FilterBar } from "@/components/ui/filter-bar";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page-title";
import { auditAddress, auditHref } from "@/lib/addresses/accounts";
import { getAuditPage } from "@/lib/queries/accounts/pages";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditRoute({ searchParams }: PageProps<"/accounts/audit">) {
  const search = await searchParams;
  const { before, show } = auditAddress.read(search);
  const page = await getAuditPage({ before, isWhole: show === "all" });
  return (
    <PageFrame
      crumbs={[{ label: "Accounts", href: "/accounts" }, { label: "Audit log" }]}
      unknown={auditAddress.listUnknown(search)}
    >
      <PageTitle
        title="Audit log"
        summary="Every change that was let through, sign-ins, and what was refused, the newest first. Nothing is ever removed from it. All adds what changed nothing, such as taking a trial of a queue, and the request behind each change; the CSV has all of it."
        actions={
          page === null ? undefined : (
            <ButtonLink href="/accounts/audit.csv" download>
              Download CSV
            </ButtonLink>
          )
        }
      />
      {page === null ? (
        <NoAccounts />
      ) : (
        <>
          <FilterBar>
            {(["changes", "all"] as const).map((one) => (
              <Link
                key={one}
                className={one === show ? "chip chip-on" : "chip"}
                href={auditHref(null, one)}
                mode="replace"
                aria-current={one === show ? "true" : undefined}
              >
                {one === "all" ? "All" : "Changes"}
              </Link>
            ))}
          </FilterBar>
          <AuditLog events={page.events} />
        </>
      )}
      <p className="row">
        {before === null ? null : <ButtonLink href={auditHref(null, show)}>Newest events</ButtonLink>}
        {page === null || page.next === null ? null : (
          <ButtonLink href={auditHref(page.next, show)}>Older events</ButtonLink>
        )}
      </p>
    </PageFrame>
  );
}
