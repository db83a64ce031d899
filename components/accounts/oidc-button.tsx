"use client";

import { type ComponentProps, useEffect, useRef, useState } from "react";

import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { withBasePath } from "@/lib/core/domain/base-path";
import { describeSignInProblem, readSignInProblem } from "@/lib/core/domain/sign-in-problem";

import "./accounts.css";

interface Answer {
  readonly location?: string;
  readonly problem?: string;
}

async function begin(request: object): Promise<Answer | null> {
  const answer = await fetch(withBasePath("/api/auth/oidc"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  }).catch(() => null);
  const said: Promise<Answer> | undefined = answer?.json(); // As our own server writes it.
  return said?.catch(() => null) ?? null;
}

export function OidcButton({
  name,
  to,
  invitation = null,
  isConnecting = false,
  autoFocus = false,
  look,
}: {
  name: string;
  to: string;
  invitation?: string | null;
  isConnecting?: boolean;
} & Pick<ComponentProps<typeof Button>, "look" | "autoFocus">) {
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
    const answer = await begin({ to, invitation, connect: isConnecting });
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
