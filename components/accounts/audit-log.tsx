import { Table } from "@/components/ui/table";
import { TimeText } from "@/components/ui/time-text";
import { readInstant } from "@/lib/core/domain/clock-time";
import type { LoggedEvent } from "@/lib/people/accounts";

import "@/components/ui/data-table.css";
import "./accounts.css";

const COLUMNS = [
  { id: "at", label: "When" },
  { id: "who", label: "Who" },
  { id: "outcome", label: "Outcome" },
  { id: "action", label: "What" },
  { id: "detail", label: "Detail" },
  { id: "address", label: "From", minor: true },
] as const;

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

export function AuditLog({ events }: { events: readonly LoggedEvent[] }) {
  return (
    <Table caption="Audit log" columns={COLUMNS} className="table-lines">
      <tbody>
        {events.map(({ seq, at, accountName, outcome, action, detail, address }) => (
          <tr key={seq}>
            <td className="phone-end">
              <TimeText time={readInstant(at)} precision="second" withYear />
            </td>
            <td className="name phone-above">
              {accountName ?? (
                <span className="muted">{address === COMMAND_LINE ? address : "not signed in"}</span>
              )}
            </td>
            <td className={outcome === "refused" ? "phone-side problem" : "phone-side"}>{outcome}</td>
            <td className="cut phone-first" title={action}>
              {describeAction(action)}
            </td>
            <td className="cut account-detail phone-second" title={detail ?? undefined}>
              {detail}
            </td>
            <td className="minor">{address}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
