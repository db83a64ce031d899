import type { Metadata } from "next";

import { NoAccounts } from "@/components/accounts/no-accounts";
import { PasswordForm, SignOutButton, Tokens } from "@/components/accounts/own-account";
import { PageFrame } from "@/components/shell/page-frame";
import { ButtonLink } from "@/components/ui/button";
import { PageTitle, Section } from "@/components/ui/page-title";
import { hasRole } from "@/lib/domain/account";
import { getAccountPage } from "@/lib/queries/accounts/pages";

export const metadata: Metadata = { title: "Account" };

export default async function AccountRoute() {
  const page = await getAccountPage();
  return (
    <PageFrame crumbs={[{ label: "Account" }]}>
      <PageTitle
        title={page?.account.name ?? "Account"}
        summary={page === null ? undefined : `Signed in as ${page.account.role}.`}
        actions={
          page === null ? undefined : (
            <>
              {hasRole(page.account, "admin") ? (
                <ButtonLink href="/accounts">Accounts of others</ButtonLink>
              ) : null}
              <SignOutButton />
            </>
          )
        }
      />
      {page === null ? (
        <NoAccounts />
      ) : (
        <>
          <Section id="tokens" title="Tokens for programs">
            <Tokens {...page} />
          </Section>
          <Section id="password" title="Password">
            <PasswordForm />
          </Section>
        </>
      )}
    </PageFrame>
  );
}
