import { ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { Notice } from "@/components/ui/notice";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import type { Account, Role } from "@/lib/core/domain/account";
import { readInstant } from "@/lib/core/domain/clock-time";
import { formatTime, preparePageClock } from "@/lib/core/format/time";
import type { Promised, LoggedEvent } from "@/lib/people/accounts";

import "./accounts.css";

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

export function NoAccounts() {
  return (
    <Notice title="Accounts are not enabled" code="assay accounts add NAME --role admin">
      Everyone who can open Assay can do everything, under any name they type. To require sign-in, create the
      first account with this command and restart Assay.
    </Notice>
  );
}

const COMMAND_LINE = "command line";

const SESSION_WORDS: Readonly<Record<string, string>> = {
  "POST /api/auth/sign-in/username": "sign in",
  "GET /api/auth/oidc/callback": "sign in",
  "POST /api/auth/sign-out": "sign out",
  "POST /api/auth/change-password": "change password",
};

function describeAction(action: string): string {
  if (action.includes(" ")) return SESSION_WORDS[action] ?? action;
  return action.replace(/Action$/, "").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

const COLUMNS: readonly DataColumn<LoggedEvent>[] = [
  column("When", ({ at }) => <TimeText time={readInstant(at)} precision="second" withYear />, {
    phone: "end",
  }),
  column(
    "Who",
    ({ accountName, address }) =>
      accountName ?? <span className="muted">{address === COMMAND_LINE ? address : "not signed in"}</span>,
    { className: "name", phone: "above" },
  ),
  column(
    "Outcome",
    ({ outcome }) => (outcome === "refused" ? <span className="problem">{outcome}</span> : outcome),
    { phone: "side" },
  ),
  column(
    "What",
    ({ action }) => describeAction(action),
    { phone: "first", className: "cut" },
    ({ action }) => ({ title: action }),
  ),
  column(
    "Detail",
    ({ detail }) => detail,
    { phone: "second", className: "cut account-detail" },
    ({ detail }) => ({ title: detail ?? undefined }),
  ),
  column("From", ({ address }) => address, { room: "minor" }),
];

export function AuditLog({ events }: { events: readonly LoggedEvent[] }) {
  return (
    <DataTable
      caption="Audit log"
      className="table-lines"
      columns={COLUMNS}
      rows={events}
      rowKey={({ seq }) => seq}
    />
  );
}
