"use client";

import { useState } from "react";

import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { FieldsForm } from "@/components/ui/fields-form";
import { Problem } from "@/components/ui/problem";
import { type Account, hasRole, ROLES } from "@/lib/core/domain/account";
import { withBasePath } from "@/lib/core/domain/base-path";
import { createTokenAction, disconnectAction, revokeTokenAction } from "@/lib/pages/accounts/actions";
import type { ListedToken } from "@/lib/people/accounts";

import { RoleField, Secrets, useEnded } from "./secrets";
import { Field, NewPasswordField, OidcButton, postAuth, SubmitButton } from "./sign-in";

import "./accounts.css";

export function SignOutButton() {
  return (
    <Button
      onClick={() => void postAuth("sign-out", {}).then(() => location.assign(withBasePath("/sign-in")))}
    >
      Sign out
    </Button>
  );
}

interface ConnectionProps {
  readonly name: string;
  readonly isConnected: boolean;
  readonly canEnd: boolean;
}

export function Connection({ name, isConnected, canEnd }: ConnectionProps) {
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
  async function change(currentPassword: string, newPassword: string, form: HTMLFormElement) {
    const answer = await postAuth("change-password", {
      currentPassword,
      newPassword,
      revokeOtherSessions: true,
    });
    const isDone = answer?.ok === true;
    if (isDone) form.reset();
    const text = isDone
      ? "Password changed. All other browsers are signed out."
      : await explainRefusal(answer);
    setSaid({ isDone, text });
  }
  return (
    <FieldsForm
      className="account-form"
      label="Password"
      onSend={(read, form) => void change(read("current"), read("next"), form)}
    >
      <Field label="Current password" name="current" type="password" autoComplete="current-password" />
      <NewPasswordField label="New password" name="next" />
      <p role="status" className={said?.isDone === false ? "problem" : undefined}>
        {said?.text}
      </p>
      <SubmitButton>Change password</SubmitButton>
    </FieldsForm>
  );
}

const TOKEN_WORDS = {
  form: "New token",
  make: "Make token",
  copy: "Copy the token now",
  caption: "Tokens",
  heading: "Token",
  none: "No tokens yet",
};

export function Tokens({ account, tokens }: { account: Account; tokens: readonly ListedToken[] }) {
  return (
    <Secrets
      words={TOKEN_WORDS}
      rows={tokens}
      label={({ label }) => label}
      nameOf={({ label }) => label}
      make={(read, role) => createTokenAction({ label: read("label"), role, days: Number(read("days")) })}
      revoke={revokeTokenAction}
      textOf={(secret) => secret}
      about={() => (
        <>
          It is not stored and cannot be shown again. Programs send it as <code>Authorization: Bearer</code>{" "}
          and the token.
        </>
      )}
    >
      <Field label="For what" name="label" maxLength={100} autoComplete="off" placeholder="nightly CI" />
      <RoleField roles={ROLES.filter((role) => hasRole(account, role))} initial="viewer" />
      <Field label="Days until it expires" name="days" type="number" min={1} max={366} defaultValue={90} />
    </Secrets>
  );
}
