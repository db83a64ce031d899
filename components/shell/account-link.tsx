"use client";

import { CircleUserRound } from "lucide-react";

import { PrefetchLink } from "@/components/ui/prefetch-link";

import { useAccountName } from "./account-context";

export function AccountLink() {
  const name = useAccountName();
  if (name === null) return null;
  return (
    <PrefetchLink
      href="/account"
      className="button button-bare icon-only"
      title={`Signed in as ${name}`}
      aria-label={`Account of ${name}`}
    >
      <CircleUserRound size={16} strokeWidth={1.5} aria-hidden />
    </PrefetchLink>
  );
}
