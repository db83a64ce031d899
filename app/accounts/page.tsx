import type { Metadata } from "next";

import { AccountList, FolderList, Invitations } from "@/components/accounts/account-list";
import { NoAccounts } from "@/components/accounts/notices";
import { PageFrame } from "@/components/shell/page-frame";
import { ButtonLink } from "@/components/ui/button";
import { PageTitle, Section } from "@/components/ui/page-title";
import { formatPlural } from "@/lib/core/format/number";
import { auditHref } from "@/lib/pages/accounts/address";
import { getAccountsPage } from "@/lib/pages/accounts/pages";

export const metadata: Metadata = { title: "Accounts" };

export default async function AccountsRoute() {
  const page = await getAccountsPage();
  return (
    <PageFrame crumbs={[{ label: "Account", href: "/account" }, { label: "Accounts" }]}>
      <PageTitle
        title="Accounts"
        summary={
          page === null
            ? undefined
            : `${formatPlural(page.accounts.length, "account")}. Viewers read, reviewers judge, adjudicators also decide conflicts and edit the codebook, admins also manage accounts.`
        }
        actions={page === null ? undefined : <ButtonLink href={auditHref(null)}>Audit log</ButtonLink>}
      />
      {page === null ? (
        <NoAccounts />
      ) : (
        <>
          <Section id="people" title="People">
            <AccountList own={page.own} accounts={page.accounts} />
          </Section>
          <Section id="invitations" title="Invitations">
            <Invitations invitations={page.invitations} />
          </Section>
          <Section id="sources" title="Sources">
            <FolderList folders={page.folders} />
          </Section>
        </>
      )}
    </PageFrame>
  );
}
