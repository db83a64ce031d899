"use client";

import type { SubmitEvent } from "react";

import { useAction } from "@/components/shell/use-action";
import { Problem } from "@/components/ui/problem";
import { withBasePath } from "@/lib/core/domain/base-path";
import { acceptInvitationAction } from "@/lib/pages/accounts/actions";

import { Field, readField, signIn } from "./sign-in-form";
import { SubmitButton } from "./submit-button";

import "./accounts.css";

export function InvitationForm({ secret, isOnly }: { secret: string; isOnly: boolean }) {
  const { problem, isPending, run } = useAction();
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [name, password] = [readField(form, "name"), readField(form, "password")];
    run(
      () => acceptInvitationAction({ secret, name, password }),
      async () => location.assign(withBasePath((await signIn(name, password)) === null ? "/" : "/sign-in")),
    );
  }
  return (
    <form className="account-form" aria-label="Your account" onSubmit={submit}>
      <Field
        label="Name"
        name="name"
        autoComplete="username"
        hint="Used to sign in and shown with your judgments. It cannot be changed."
        autoFocus={isOnly}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={8}
        maxLength={128}
        hint="At least 8 characters."
      />
      <Problem>{problem}</Problem>
      <SubmitButton look={isOnly ? "main" : "plain"} disabled={isPending}>
        Create account
      </SubmitButton>
    </form>
  );
}
