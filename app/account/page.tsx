import type { Metadata } from "next";

import { NoAccounts } from "@/components/accounts/notices";
import { Connection, PasswordForm, SignOutButton, Tokens } from "@/components/accounts/own-account";
import { PageFrame } from "@/components/shell/page-frame";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle, Section } from "@/components/ui/page-title";
import { hasRole } from "@/lib/core/domain/account";
import { describeSignInProblem, readSignInProblem } from "@/lib/core/domain/sign-in-problem";
import { accountAddress } from "@/lib/pages/accounts/address";
import { getAccountPage } from "@/lib/pages/accounts/pages";

export const metadata: Metadata = { title: "Account" };

export default async function AccountRoute({ searchParams }: PageProps<"/account">) {
  const page = await getAccountPage();
  const problem = readSignInProblem(accountAddress.read(await searchParams).problem);
  return (
    <PageFrame crumbs={[{ label: "Account" }]}>
      <PageTitle
        title={page?.account.name ?? "Account"}
        summary={page === null ? undefined : `Signed in as ${page.account.role}.`}
        actions={
          page === null ? undefined : (
            <>
              {hasRole(page.account, "admin") ? (
                <ButtonLink href="/accounts">Manage accounts</ButtonLink>
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
          {page.ways.oidcName === null ? null : (
            <Section id="provider" title={page.ways.oidcName}>
              {problem === null ? null : (
                <Notice title="Not connected" tone="error">
                  {describeSignInProblem(problem, page.ways.oidcName)}
                </Notice>
              )}
              <Connection
                name={page.ways.oidcName}
                isConnected={page.isConnected}
                canEnd={page.ways.hasPasswords}
              />
            </Section>
          )}
          {page.ways.hasPasswords ? (
            <Section id="password" title="Password">
              <PasswordForm />
            </Section>
          ) : null}
        </>
      )}
    </PageFrame>
  );
}
