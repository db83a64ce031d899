import { DataTable } from "@/components/ui/data-table";
import type { DataColumn } from "@/components/ui/table-columns";
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
  {
    id: "at",
    header: "When",
    meta: { phone: "end" },
    cell: ({ at }) => <TimeText time={readInstant(at)} precision="second" withYear />,
  },
  {
    id: "who",
    header: "Who",
    meta: { className: "name", phone: "above" },
    cell: ({ accountName, address }) =>
      accountName ?? <span className="muted">{address === COMMAND_LINE ? address : "not signed in"}</span>,
  },
  {
    id: "outcome",
    header: "Outcome",
    meta: { phone: "side" },
    cell: ({ outcome }) => (outcome === "refused" ? <span className="problem">{outcome}</span> : outcome),
  },
  {
    id: "action",
    header: "What",
    meta: { phone: "first", className: "cut" },
    attributes: ({ action }) => ({ title: action }),
    cell: ({ action }) => describeAction(action),
  },
  {
    id: "detail",
    header: "Detail",
    meta: { phone: "second", className: "cut account-detail" },
    attributes: ({ detail }) => ({ title: detail ?? undefined }),
    cell: ({ detail }) => detail,
  },
  { id: "address", header: "From", meta: { room: "minor" }, cell: ({ address }) => address },
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
