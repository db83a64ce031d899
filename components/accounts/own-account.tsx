"use client";

import { type SubmitEvent, useState } from "react";

import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { Problem } from "@/components/ui/problem";
import { type Account, hasRole, ROLES } from "@/lib/core/domain/account";
import { withBasePath } from "@/lib/core/domain/base-path";
import { createTokenAction, disconnectAction, revokeTokenAction } from "@/lib/pages/accounts/actions";
import type { ListedToken } from "@/lib/people/accounts";

import { listExpiring } from "./expiring-columns";
import { OidcButton } from "./oidc-button";
import { OnlyOnce } from "./only-once";
import { Field, readField } from "./sign-in-form";
import { SubmitButton } from "./submit-button";
import { useEnded } from "./use-ended";
import { useSecret } from "./use-secret";

import "./accounts.css";

export function SignOutButton() {
  return (
    <Button
      onClick={() =>
        void fetch(withBasePath("/api/auth/sign-out"), {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
        }).finally(() => location.assign(withBasePath("/sign-in")))
      }
    >
      Sign out
    </Button>
  );
}

export function Connection({
  name,
  isConnected,
  canEnd,
}: {
  name: string;
  isConnected: boolean;
  canEnd: boolean;
}) {
  const { problem, isPending, run } = useAction();
  const ended = useEnded();
  const disconnect = () => run(disconnectAction, () => ended.say(`Disconnected from ${name}.`));
  return (
    <>
      {ended.line}
      {isConnected ? (
        <p>Connected: you sign in with {name}.</p>
      ) : (
        <OidcButton name={name} to="/account" isConnecting />
      )}
      {isConnected && canEnd ? (
        <Button aria-disabled={isPending} onClick={disconnect}>
          Disconnect {name}
        </Button>
      ) : null}
      <Problem>{problem}</Problem>
    </>
  );
}

async function explainRefusal(answer: Response | null): Promise<string> {
  if (answer?.status === 422) return answer.text();
  if (answer?.status === 429) return "Too many attempts. Wait a minute, then try again.";
  return "Not changed: the current password is wrong, or Assay is not responding.";
}

export function PasswordForm() {
  const [said, setSaid] = useState<{ readonly isDone: boolean; readonly text: string } | null>(null);
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const answer = await fetch(withBasePath("/api/auth/change-password"), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        currentPassword: readField(form, "current"),
        newPassword: readField(form, "next"),
        revokeOtherSessions: true,
      }),
    }).catch(() => null);
    if (answer?.ok === true) element.reset();
    setSaid(
      answer?.ok === true
        ? { isDone: true, text: "Password changed. All other browsers are signed out." }
        : { isDone: false, text: await explainRefusal(answer) },
    );
  }
  return (
    <form className="account-form" aria-label="Password" onSubmit={(event) => void submit(event)}>
      <Field label="Current password" name="current" type="password" autoComplete="current-password" />
      <Field
        label="New password"
        name="next"
        type="password"
        autoComplete="new-password"
        minLength={8}
        maxLength={128}
        hint="At least 8 characters."
      />
      <p role="status" className={said?.isDone === false ? "problem" : undefined}>
        {said?.text}
      </p>
      <SubmitButton>Change password</SubmitButton>
    </form>
  );
}

function RoleChoice({ account }: { account: Account }) {
  return (
    <select className="input" name="role" defaultValue="viewer">
      {ROLES.filter((role) => hasRole(account, role)).map((role) => (
        <option key={role} value={role}>
          {role === "viewer" ? "viewer (reads only)" : role}
        </option>
      ))}
    </select>
  );
}

export function Tokens({ account, tokens }: { account: Account; tokens: readonly ListedToken[] }) {
  const { secret, show, forget } = useSecret(tokens);
  const { problem, isPending, run } = useAction();
  const ended = useEnded();
  const revoke = (id: string, label: string) =>
    run(
      () => revokeTokenAction(id),
      () => {
        forget(id);
        ended.say(`Revoked: ${label}.`);
      },
    );
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const role = ROLES.find((one) => one === readField(form, "role")) ?? "viewer";
    const request = { label: readField(form, "label"), role, days: Number(readField(form, "days")) };
    show(null);
    run(
      () => createTokenAction(request),
      (made) => show(made.secret),
    );
  }
  return (
    <>
      <form className="account-row" aria-label="New token" onSubmit={submit}>
        <Field label="For what" name="label" maxLength={100} autoComplete="off" placeholder="nightly CI" />
        <label className="account-field">
          <span>Role</span>
          <RoleChoice account={account} />
        </label>
        <Field label="Days until it expires" name="days" type="number" min={1} max={366} defaultValue={90} />
        <Button type="submit" aria-disabled={isPending}>
          Make token
        </Button>
      </form>
      <Problem>{problem}</Problem>
      {secret === null ? null : (
        <OnlyOnce title="Copy the token now" text={secret}>
          It is not stored and cannot be shown again. Programs send it as <code>Authorization: Bearer</code>{" "}
          and the token.
        </OnlyOnce>
      )}
      {ended.line}
      {tokens.length === 0 ? (
        <p className="muted">No tokens yet</p>
      ) : (
        <DataTable
          caption="Tokens"
          className="table-lines"
          columns={listExpiring<ListedToken>("Token", ({ label }) => label, [], {
            isPending,
            nameOf: ({ label }) => label,
            onRevoke: ({ id, label }) => revoke(id, label),
          })}
          rows={tokens}
          rowKey={({ id }) => id}
        />
      )}
    </>
  );
}
