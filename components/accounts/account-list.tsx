"use client";

import { type SubmitEvent, useState } from "react";

import { Button } from "@/components/ui/button";
import { Table } from "@/components/ui/table";
import { TimeText } from "@/components/ui/time-text";
import { changeAccountAction, inviteAction, revokeInvitationAction } from "@/lib/actions/accounts";
import { type Account, ROLES } from "@/lib/domain/account";
import { withBasePath } from "@/lib/domain/base-path";
import { readInstant } from "@/lib/domain/clock-time";
import type { Invitation, ListedAccount } from "@/lib/accounts";

import { OnlyOnce } from "./only-once";
import { readField } from "./sign-in-form";
import { useChange } from "./use-change";

import "./accounts.css";

const COLUMNS = [
  { id: "name", label: "Name" },
  { id: "role", label: "Role" },
  { id: "state", label: "State" },
] as const;

/** Every account, with its role to choose and a button that keeps it out or lets it in. */
export function AccountList({ own, accounts }: { own: Account; accounts: readonly ListedAccount[] }) {
  const { problem, isPending, change } = useChange();
  return (
    <>
      <p role="alert" className="account-problem">
        {problem}
      </p>
      <Table caption="Accounts" columns={COLUMNS}>
        <tbody>
          {accounts.map(({ id, name, role, createdAt, blockedAt }) => (
            <tr key={id}>
              <td className="name wrap account-cell">
                {name}
                {id === own.id ? <span className="muted"> (you)</span> : null}
              </td>
              <td>
                <select
                  className="input"
                  aria-label={`Role of ${name}`}
                  value={role}
                  disabled={isPending}
                  onChange={({ target }) => {
                    const next = ROLES.find((one) => one === target.value);
                    if (next !== undefined) change(() => changeAccountAction({ id, role: next }));
                  }}
                >
                  {ROLES.map((one) => (
                    <option key={one}>{one}</option>
                  ))}
                </select>
              </td>
              <td className="wrap account-cell">
                {blockedAt === null ? "Active" : "Blocked"} since{" "}
                <TimeText time={readInstant(blockedAt ?? createdAt)} />{" "}
                <Button
                  look="bare"
                  disabled={isPending || id === own.id}
                  aria-label={`${blockedAt === null ? "Block" : "Unblock"} ${name}`}
                  onClick={() => change(() => changeAccountAction({ id, isBlocked: blockedAt === null }))}
                >
                  {blockedAt === null ? "Block" : "Unblock"}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}

const INVITATION_COLUMNS = [
  { id: "role", label: "Role" },
  { id: "by", label: "Invited by" },
  { id: "expires", label: "Expires" },
  { id: "change", label: "Change" },
] as const;

/** Makes invitation links, and lists those that nobody accepted yet. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const { problem, isPending, change } = useChange();
  const [path, setPath] = useState<string | null>(null);
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const given = readField(new FormData(event.currentTarget), "role");
    const role = ROLES.find((one) => one === given) ?? "viewer";
    change(() => inviteAction({ role }), setPath);
  }
  return (
    <>
      <form className="account-row" aria-label="New invitation" onSubmit={submit}>
        <label className="account-field">
          <span>Role</span>
          <select className="input" name="role" defaultValue="reviewer">
            {ROLES.map((role) => (
              <option key={role}>{role}</option>
            ))}
          </select>
        </label>
        <Button type="submit" disabled={isPending}>
          Make invitation link
        </Button>
      </form>
      <p role="alert" className="account-problem">
        {problem}
      </p>
      {path === null ? null : (
        <OnlyOnce title="Copy the link now" text={`${location.origin}${withBasePath(path)}`}>
          One person can make an account with it within 7 days. It cannot be shown again.
        </OnlyOnce>
      )}
      {invitations.length === 0 ? (
        <p className="muted">No invitation is open.</p>
      ) : (
        <Table caption="Open invitations" columns={INVITATION_COLUMNS}>
          <tbody>
            {invitations.map(({ id, role, createdBy, expiresAt }) => (
              <tr key={id}>
                <td>{role}</td>
                <td className="name">{createdBy}</td>
                <td>
                  <TimeText time={readInstant(expiresAt)} />
                </td>
                <td>
                  <Button
                    look="bare"
                    disabled={isPending}
                    aria-label={`Revoke the invitation for a ${role}`}
                    onClick={() => change(() => revokeInvitationAction(id))}
                  >
                    Revoke
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}
