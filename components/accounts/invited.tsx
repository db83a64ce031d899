import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Account, Role } from "@/lib/core/domain/account";
import { readInstant } from "@/lib/core/domain/clock-time";
import { formatTime, preparePageClock } from "@/lib/core/format/time";
import type { Promised } from "@/lib/people/accounts";

export function Invited({
  promised: { role, createdBy, expiresAt },
  signedIn,
}: {
  promised: Promised;
  signedIn: Account | null;
}) {
  // An invited user has not chosen a time zone yet.
  const until = formatTime(readInstant(expiresAt), preparePageClock(undefined, 0));
  return (
    <>
      {signedIn === null ? null : (
        <Notice
          title={`You are signed in as ${signedIn.name}`}
          actions={<ButtonLink href="/">Stay signed in as {signedIn.name}</ButtonLink>}
        >
          This creates another account and signs this browser in to it. To invite someone else, send them the
          link.
        </Notice>
      )}
      <p>
        You were invited as {role} by {createdBy}. {ROLE_WORDS[role]} The invitation expires on {until} UTC.
      </p>
    </>
  );
}

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: "Viewers read jobs, trials and judgments.",
  reviewer: "Reviewers read and judge trials.",
  adjudicator: "Adjudicators judge, decide conflicts and edit the codebook.",
  admin: "Admins can do everything and manage accounts.",
};
