"use client";

import { type ComponentProps, type InputHTMLAttributes, useEffect, useRef, useState } from "react";

import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { FieldsForm } from "@/components/ui/fields-form";
import { Problem } from "@/components/ui/problem";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { withBasePath } from "@/lib/core/domain/base-path";
import { describeSignInProblem, readSignInProblem } from "@/lib/core/domain/sign-in-problem";
import { acceptInvitationAction } from "@/lib/pages/accounts/actions";
import type { SignInWays } from "@/lib/people/accounts";

import "./accounts.css";

/** Returns null if there is no answer. */
export function postAuth(path: string, body: object): Promise<Response | null> {
  return fetch(withBasePath(`/api/auth/${path}`), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => null);
}

/** Signs in; returns the reason for a failure, else null. The answer sets a cookie that no script can read. */
async function signIn(username: string, password: string): Promise<string | null> {
  const answer = await postAuth("sign-in/username", { username, password });
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
  async function submit(name: string, password: string) {
    setIsPending(true);
    const failure = await signIn(name, password);
    // A full load, because everything rendered so far was rendered without a user.
    if (failure === null) location.assign(withBasePath(to));
    else {
      setProblem(failure);
      setIsPending(false);
    }
  }
  return (
    <FieldsForm
      className="account-form"
      label="Sign in"
      onSend={(read) => void submit(read("name"), read("password"))}
    >
      <Field label="Name" name="name" autoComplete="username" autoFocus={isOnly} />
      <Field label="Password" name="password" type="password" autoComplete="current-password" />
      <Problem>{problem}</Problem>
      <SubmitButton look={isOnly ? "main" : "plain"} disabled={isPending}>
        Sign in
      </SubmitButton>
    </FieldsForm>
  );
}

export function InvitationForm({ secret, isOnly }: { secret: string; isOnly: boolean }) {
  const { problem, isPending, run } = useAction();
  const submit = (name: string, password: string) =>
    run(
      () => acceptInvitationAction({ secret, name, password }),
      async () => location.assign(withBasePath((await signIn(name, password)) === null ? "/" : "/sign-in")),
    );
  return (
    <FieldsForm
      className="account-form"
      label="Your account"
      onSend={(read) => submit(read("name"), read("password"))}
    >
      <Field
        label="Name"
        name="name"
        autoComplete="username"
        hint="Used to sign in and shown with your judgments. It cannot be changed."
        autoFocus={isOnly}
      />
      <NewPasswordField label="Password" name="password" />
      <Problem>{problem}</Problem>
      <SubmitButton look={isOnly ? "main" : "plain"} disabled={isPending}>
        Create account
      </SubmitButton>
    </FieldsForm>
  );
}

export function Field({
  label,
  hint,
  ...input
}: InputHTMLAttributes<HTMLInputElement> & { label: string; hint?: string }) {
  return (
    <label className="labelled">
      <span className="label">{label}</span>
      <input className="input" required maxLength={200} {...input} />
      {hint === undefined ? null : <span className="caption">{hint}</span>}
    </label>
  );
}

export function NewPasswordField(props: { label: string; name: string }) {
  const limits = { minLength: 8, maxLength: 128, hint: "At least 8 characters." };
  return <Field {...props} {...limits} type="password" autoComplete="new-password" />;
}

/** Waits until scripts run: without them the browser would put the password into the URL. */
export function SubmitButton({ disabled = false, ...rest }: Omit<ComponentProps<typeof Button>, "type">) {
  const inBrowser = useInBrowser();
  return <Button type="submit" disabled={disabled || !inBrowser} {...rest} />;
}

interface OidcAnswer {
  readonly location?: string;
  readonly problem?: string;
}

export function OidcButton({
  name,
  to,
  invitation = null,
  isConnecting = false,
  autoFocus = false,
  look,
}: Pick<ComponentProps<typeof Button>, "look" | "autoFocus"> & {
  name: string;
  to: string;
  invitation?: string | null;
  isConnecting?: boolean;
}) {
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const inBrowser = useInBrowser();
  const button = useRef<HTMLButtonElement>(null);
  // A disabled button cannot take the focus.
  useEffect(() => {
    if (autoFocus && inBrowser && document.activeElement === document.body) button.current?.focus();
  }, [autoFocus, inBrowser]);
  async function go() {
    setIsPending(true);
    const response = await postAuth("oidc", { to, invitation, connect: isConnecting });
    const said: Promise<OidcAnswer> | undefined = response?.json(); // As our own server writes it.
    const answer = await said?.catch(() => null);
    if (answer?.location !== undefined) {
      location.assign(answer.location);
      return;
    }
    const problem = readSignInProblem(answer?.problem ?? null);
    setFailure(
      problem === null ? "Something went wrong. Reload and try again." : describeSignInProblem(problem, name),
    );
    setIsPending(false);
  }
  return (
    <div className="account-oidc">
      <Button ref={button} look={look} disabled={isPending || !inBrowser} onClick={() => void go()}>
        {isConnecting ? "Connect" : "Continue with"} {name}
      </Button>
      <Problem>{failure}</Problem>
    </div>
  );
}
