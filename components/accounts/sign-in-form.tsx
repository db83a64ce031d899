"use client";

import { type SubmitEvent, useState } from "react";

import { Problem } from "@/components/ui/problem";
import { withBasePath } from "@/lib/core/domain/base-path";
import type { SignInWays } from "@/lib/people/accounts";

import { OidcButton } from "./oidc-button";
import { SubmitButton } from "./submit-button";

import "./accounts.css";

/** Signs in; returns the reason for a failure, else null. The answer sets a cookie that no script can read. */
export async function signIn(username: string, password: string): Promise<string | null> {
  const answer = await fetch(withBasePath("/api/auth/sign-in/username"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  }).catch(() => null);
  if (answer === null) return "Assay is not responding. Try again in a moment.";
  if (answer.ok) return null;
  if (answer.status === 429) return "Too many attempts from this address. Wait a minute, then try again.";
  if (answer.status === 403) return "This account is blocked. Ask an admin.";
  if (answer.status >= 500) return "Assay cannot read its accounts. Check the terminal that runs it.";
  return "Name or password is wrong.";
}

export function SignInForm({ to, ways }: { to: string; ways: SignInWays }) {
  const { oidcName, hasPasswords } = ways;
  return (
    <>
      {oidcName === null ? null : <OidcButton name={oidcName} to={to} look="main" autoFocus />}
      {oidcName === null || !hasPasswords ? null : <p className="muted">or with a password</p>}
      {hasPasswords ? <PasswordSignIn to={to} isOnly={oidcName === null} /> : null}
    </>
  );
}

function PasswordSignIn({ to, isOnly }: { to: string; isOnly: boolean }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setIsPending(true);
    const failure = await signIn(readField(form, "name"), readField(form, "password"));
    // A full load, because everything rendered so far was rendered without a user.
    if (failure === null) location.assign(withBasePath(to));
    else {
      setProblem(failure);
      setIsPending(false);
    }
  }
  return (
    <form className="account-form" aria-label="Sign in" onSubmit={(event) => void submit(event)}>
      <Field label="Name" name="name" autoComplete="username" autoFocus={isOnly} />
      <Field label="Password" name="password" type="password" autoComplete="current-password" />
      <Problem>{problem}</Problem>
      <SubmitButton look={isOnly ? "main" : "plain"} disabled={isPending}>
        Sign in
      </SubmitButton>
    </form>
  );
}

export function readField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

export function Field({
  label,
  hint,
  ...input
}: React.InputHTMLAttributes<HTMLInputElement> & { label: string; hint?: string }) {
  return (
    <label className="account-field">
      <span>{label}</span>
      <input className="input" required maxLength={200} {...input} />
      {hint === undefined ? null : <span className="caption">{hint}</span>}
    </label>
  );
}
