"use client";

import { type SubmitEvent, useState } from "react";

import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { Problem } from "@/components/ui/problem";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { type Account, type Role, ROLES } from "@/lib/core/domain/account";
import { withBasePath } from "@/lib/core/domain/base-path";
import { readInstant } from "@/lib/core/domain/clock-time";
import { changeAccountAction, inviteAction, revokeInvitationAction } from "@/lib/pages/accounts/actions";
import type { Invitation, ListedAccount } from "@/lib/people/accounts";

import { listExpiring } from "./expiring-columns";
import { OnlyOnce } from "./only-once";
import { Field, readField } from "./sign-in-form";
import { useEnded } from "./use-ended";
import { useSecret } from "./use-secret";

import "./accounts.css";

type Asked = { readonly role: Role } | { readonly isBlocked: boolean };

interface Change {
  readonly id: string;
  readonly words: string;
  readonly undo: Asked;
}

export function AccountList({ own, accounts }: { own: Account; accounts: readonly ListedAccount[] }) {
  const { problem, isPending, run } = useAction();
  const [last, setLast] = useState<Change | null>(null);
  const act = (id: string, asked: Asked, next: Change | null, onDone: () => void = () => undefined) =>
    run(
      () => changeAccountAction({ id, ...asked }),
      () => {
        setLast(next);
        onDone();
        // The pressed button may be gone.
        if (next === null || "role" in asked) document.getElementById(roleId(id))?.focus();
      },
    );
  return (
    <>
      <Problem>{problem}</Problem>
      <DataTable
        caption="Accounts"
        columns={[
          column<ListedAccount>(
            "Name",
            ({ id, name }) => (
              <>
                {name}
                {id === own.id ? <span className="muted"> (you)</span> : null}
              </>
            ),
            { className: "name wrap account-cell" },
          ),
          column<ListedAccount>("Role", (account) => (
            <RoleChoice account={account} isPending={isPending} act={act} />
          )),
          column<ListedAccount>(
            "State",
            (account) => (
              <AccountState account={account} isOwn={account.id === own.id} isPending={isPending} act={act} />
            ),
            { className: "wrap account-cell" },
          ),
        ]}
        rows={accounts}
        rowKey={({ id }) => id}
      />
      <p role="status">
        {last === null ? null : (
          <>
            {last.words}{" "}
            <Button look="bare" aria-disabled={isPending} onClick={() => act(last.id, last.undo, null)}>
              Undo
            </Button>
          </>
        )}
      </p>
    </>
  );
}

const roleId = (id: string) => `role-of-${id}`;

const MAY_AGAIN = "may sign in again";
const KEPT_OUT = "is blocked: every session and token has ended";

interface CellProps {
  readonly account: ListedAccount;
  readonly isPending: boolean;
  readonly act: (id: string, asked: Asked, next: Change, onDone?: () => void) => void;
}

function RoleChoice({ account: { id, name, role }, isPending, act }: CellProps) {
  const [chosen, setChosen] = useState<Role | null>(null);
  const inBrowser = useInBrowser();
  return (
    <span className="row account-role">
      <select
        id={roleId(id)}
        className="input"
        aria-label={`Role of ${name}`}
        disabled={!inBrowser}
        value={chosen ?? role}
        onChange={({ target }) => {
          const next = ROLES.find((one) => one === target.value) ?? role;
          setChosen(next === role ? null : next);
        }}
      >
        {ROLES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      {chosen === null || chosen === role ? null : (
        <Button
          aria-disabled={isPending}
          aria-label={`Change role of ${name} to ${chosen}`}
          onClick={() =>
            act(
              id,
              { role: chosen },
              { id, words: `Changed the role of ${name} from ${role} to ${chosen}.`, undo: { role } },
              () => setChosen(null),
            )
          }
        >
          Change role
        </Button>
      )}
    </span>
  );
}

function AccountState({
  account: { id, name, createdAt, blockedAt },
  isOwn,
  isPending,
  act,
}: CellProps & { readonly isOwn: boolean }) {
  const isBlocked = blockedAt !== null;
  return (
    <>
      {isBlocked ? "Blocked" : "Active"} since <TimeText time={readInstant(blockedAt ?? createdAt)} />{" "}
      {isOwn ? null : (
        <Button
          look="bare"
          aria-disabled={isPending}
          aria-label={`${isBlocked ? "Unblock" : "Block"} ${name}`}
          onClick={() =>
            act(
              id,
              { isBlocked: !isBlocked },
              { id, words: `${name} ${isBlocked ? MAY_AGAIN : KEPT_OUT}.`, undo: { isBlocked } },
            )
          }
        >
          {isBlocked ? "Unblock" : "Block"}
        </Button>
      )}
    </>
  );
}

const INVITER: readonly DataColumn<Invitation>[] = [
  column("Invited by", ({ createdBy }) => createdBy, { className: "name", phone: "labelled" }),
];

const nameLabel = ({ label }: Invitation) => label ?? <span className="muted">not said</span>;

function nameInvited({ label, role }: Invitation): string {
  return label ?? `a ${role}`;
}

function isLoopback(name: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])$/.test(name);
}

export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const { problem, isPending, run } = useAction();
  const { secret: path, show, forget } = useSecret(invitations);
  const ended = useEnded();
  const revoke = (id: string, whom: string) =>
    run(
      () => revokeInvitationAction(id),
      () => {
        forget(id);
        ended.say(`Revoked the invitation for ${whom}.`);
      },
    );
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const role = ROLES.find((one) => one === readField(fields, "role")) ?? "viewer";
    run(
      () => inviteAction({ role, label: readField(fields, "label") }),
      ({ secret }) => {
        show(secret);
        form.reset();
      },
    );
  }
  return (
    <>
      <form className="account-row" aria-label="New invitation" onSubmit={submit}>
        <Field label="Invitee (optional)" name="label" maxLength={100} required={false} autoComplete="off" />
        <label className="account-field">
          <span>Role</span>
          <select className="input" name="role" defaultValue="reviewer">
            {ROLES.map((role) => (
              <option key={role}>{role}</option>
            ))}
          </select>
        </label>
        <Button type="submit" aria-disabled={isPending}>
          Make invitation link
        </Button>
      </form>
      <Problem>{problem}</Problem>
      {path === null ? null : (
        <OnlyOnce title="Copy the link now" text={`${location.origin}${withBasePath(path)}`}>
          It creates one account and expires in 7 days. It cannot be shown again.
          {isLoopback(location.hostname)
            ? ` It points to ${location.hostname}, which only works on this machine. Replace it with a name or address that others can reach.`
            : null}
        </OnlyOnce>
      )}
      {ended.line}
      {invitations.length === 0 ? (
        <p className="muted">No open invitations</p>
      ) : (
        <DataTable
          caption="Open invitations"
          className="table-lines"
          columns={listExpiring("For", nameLabel, INVITER, {
            isPending,
            nameOf: (row) => `the invitation for ${nameInvited(row)}`,
            onRevoke: (row) => revoke(row.id, nameInvited(row)),
          })}
          rows={invitations}
          rowKey={({ id }) => id}
        />
      )}
    </>
  );
}
