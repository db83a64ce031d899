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
          This makes another account, and this browser will be signed in to that one instead. To invite
          somebody else, send them the link.
        </Notice>
      )}
      <p>
        You were invited as {role} by {createdBy}. {ROLE_WORDS[role]} The invitation is good until {until}{" "}
        UTC.
      </p>
    </>
  );
}

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: "Viewers look at jobs, trials and judgments.",
  reviewer: "Reviewers look, and judge trials.",
  adjudicator: "Adjudicators judge, decide conflicts and change the codebook.",
  admin: "Admins do everything, and manage accounts.",
};
