import type { Metadata } from "next";

import { Invited } from "@/components/accounts/notices";
import { InvitationForm, OidcButton } from "@/components/accounts/sign-in";
import { Notice } from "@/components/ui/notice";
import { invitationAddress } from "@/lib/pages/accounts/address";
import { getInvitation, getSignInWays } from "@/lib/pages/accounts/pages";

import "@/components/accounts/accounts.css";

export const metadata: Metadata = { title: "Invitation" };

export default async function InvitationRoute({ searchParams }: PageProps<"/invitation">) {
  const { token } = invitationAddress.read(await searchParams);
  const invitation = await getInvitation(token);
  const { oidcName, hasPasswords } = getSignInWays();
  return (
    <main id="main" className="sign-in" tabIndex={-1}>
      <h1>Your account in Assay</h1>
      {invitation === null ? (
        <Notice title="This invitation cannot be used" tone="error">
          It was used, revoked, or is older than 7 days. Ask an admin for a new one.
        </Notice>
      ) : (
        <>
          <Invited {...invitation} />
          {oidcName === null ? null : (
            <OidcButton name={oidcName} to="/" invitation={token} look="main" autoFocus />
          )}
          {oidcName === null || !hasPasswords ? null : <p className="muted">or with a password</p>}
          {hasPasswords ? <InvitationForm secret={token} isOnly={oidcName === null} /> : null}
        </>
      )}
    </main>
  );
}
