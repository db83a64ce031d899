import { DataTable } from "@/components/ui/data-table";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import { readInstant } from "@/lib/core/domain/clock-time";
import type { LoggedEvent } from "@/lib/people/accounts";

import "./accounts.css";

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
