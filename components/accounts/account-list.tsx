"use client";

import { type ComponentProps, type ReactNode, useState } from "react";

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
import {
  changeAccountAction,
  changeFolderRoleAction,
  inviteAction,
  revokeInvitationAction,
} from "@/lib/pages/accounts/actions";
import type { FolderChoice } from "@/lib/pages/accounts/pages";
import type { Invitation, ListedAccount } from "@/lib/people/accounts";

import { RoleField, Secrets } from "./secrets";
import { Field } from "./sign-in";

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
      <DataTable<ListedAccount>
        caption="Accounts"
        columns={[
          column(
            "Name",
            ({ id, name }) => (
              <>
                {name}
                {id === own.id ? <span className="muted"> (you)</span> : null}
              </>
            ),
            { className: "name wrap account-cell" },
          ),
          column("Role", (account) => <RoleChoice {...{ account, isPending, act }} />),
          column(
            "State",
            (account) => <AccountState {...{ account, isPending, act }} isOwn={account.id === own.id} />,
            { className: "wrap account-cell" },
          ),
        ]}
        rows={accounts}
        rowKey={({ id }) => id}
      />
      <UndoLine isPending={isPending} onUndo={() => last && act(last.id, last.undo, null)}>
        {last?.words}
      </UndoLine>
    </>
  );
}

interface UndoLineProps {
  readonly isPending: boolean;
  readonly onUndo: () => void;
  readonly children: ReactNode;
}

/** The last change, with a button that undoes it. */
function UndoLine({ isPending, onUndo, children }: UndoLineProps) {
  return (
    <p role="status">
      {children === undefined ? null : (
        <>
          {children}{" "}
          <Button look="bare" aria-disabled={isPending} onClick={onUndo}>
            Undo
          </Button>
        </>
      )}
    </p>
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
  const change = (to: Role) => {
    const words = `Changed the role of ${name} from ${role} to ${to}.`;
    act(id, { role: to }, { id, words, undo: { role } }, () => setChosen(null));
  };
  return (
    <span className="flow">
      <RoleSelect
        id={roleId(id)}
        aria-label={`Role of ${name}`}
        value={chosen ?? role}
        onChoose={setChosen}
      />
      {chosen === null || chosen === role ? null : (
        <Button
          aria-disabled={isPending}
          aria-label={`Change role of ${name} to ${chosen}`}
          onClick={() => change(chosen)}
        >
          Change role
        </Button>
      )}
    </span>
  );
}

function RoleSelect({
  value,
  words,
  onChoose,
  ...rest
}: ComponentProps<"select"> & {
  value: Role;
  words?: Readonly<Record<Role, string>>;
  onChoose: (role: Role) => void;
}) {
  return (
    <select
      className="input"
      value={value}
      disabled={!useInBrowser()}
      onChange={({ target }) => onChoose(ROLES.find((one) => one === target.value) ?? value)}
      {...rest}
    >
      {ROLES.map((one) => (
        <option key={one} value={one}>
          {words?.[one] ?? one}
        </option>
      ))}
    </select>
  );
}

function AccountState({
  account: { id, name, createdAt, blockedAt },
  isOwn,
  isPending,
  act,
}: CellProps & { readonly isOwn: boolean }) {
  const isBlocked = blockedAt !== null;
  const words = `${name} ${isBlocked ? MAY_AGAIN : KEPT_OUT}.`;
  const verb = isBlocked ? "Unblock" : "Block";
  return (
    <>
      {isBlocked ? "Blocked" : "Active"} since <TimeText time={readInstant(blockedAt ?? createdAt)} />{" "}
      {isOwn ? null : (
        <Button
          look="bare"
          aria-disabled={isPending}
          aria-label={`${verb} ${name}`}
          onClick={() => act(id, { isBlocked: !isBlocked }, { id, words, undo: { isBlocked } })}
        >
          {verb}
        </Button>
      )}
    </>
  );
}

const INVITATION_WORDS = {
  form: "New invitation",
  make: "Make invitation link",
  copy: "Copy the link now",
  caption: "Open invitations",
  heading: "For",
  none: "No open invitations",
};

const INVITER: readonly DataColumn<Invitation>[] = [
  column("Invited by", ({ createdBy }) => createdBy, { className: "name", phone: "labelled" }),
];

function isLoopback(name: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])$/.test(name);
}

export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  return (
    <Secrets
      words={INVITATION_WORDS}
      rows={invitations}
      label={({ label }) => label ?? <span className="muted">not said</span>}
      more={INVITER}
      nameOf={({ label, role }) => `the invitation for ${label ?? `a ${role}`}`}
      make={(read, role) => inviteAction({ role, label: read("label") })}
      revoke={revokeInvitationAction}
      textOf={(path) => `${location.origin}${withBasePath(path)}`}
      about={() => (
        <>
          It creates one account and expires in 7 days. It cannot be shown again.
          {isLoopback(location.hostname)
            ? ` It points to ${location.hostname}, which only works on this machine. Replace it with a name or address that others can reach.`
            : null}
        </>
      )}
    >
      <Field label="Invitee (optional)" name="label" maxLength={100} required={false} autoComplete="off" />
      <RoleField roles={ROLES} initial="reviewer" />
    </Secrets>
  );
}

const SEEN_BY: Readonly<Record<Role, string>> = {
  viewer: "everyone signed in",
  reviewer: "reviewers and above",
  adjudicator: "adjudicators and admins",
  admin: "admins only",
};

interface FolderChange {
  readonly address: string;
  readonly from: Role;
  readonly to: Role;
}

export function FolderList({ folders }: { folders: readonly FolderChoice[] }) {
  const { problem, isPending, run } = useAction();
  const [last, setLast] = useState<FolderChange | null>(null);
  const choose = ({ address, to }: FolderChange, next: FolderChange | null) =>
    run(
      () => changeFolderRoleAction({ address, role: to }),
      () => setLast(next),
    );
  return (
    <>
      <p className="muted">A folder, its jobs, trials and judgments are hidden from users below its role.</p>
      <Problem>{problem}</Problem>
      <DataTable<FolderChoice>
        caption="Opened folders"
        className="table-lines"
        columns={[
          column("Folder or bucket", ({ address }) => address, { className: "name wrap", phone: "first" }),
          column(
            "Seen by",
            ({ address, role }) => (
              <RoleSelect
                aria-label={`Visibility of ${address}`}
                value={role}
                words={SEEN_BY}
                aria-disabled={isPending}
                onChoose={(to) => {
                  const made = { address, from: role, to };
                  choose(made, made);
                }}
              />
            ),
            { phone: "second" },
          ),
        ]}
        rows={folders}
        rowKey={({ address }) => address}
      />
      <UndoLine isPending={isPending} onUndo={() => last && choose({ ...last, to: last.from }, null)}>
        {last === null ? undefined : `${last.address} is now seen by ${SEEN_BY[last.to]}.`}
      </UndoLine>
    </>
  );
}
