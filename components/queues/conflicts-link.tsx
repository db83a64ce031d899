"use client";

import type { Route } from "next";

import { useMay } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { formatPlural } from "@/lib/format/number";

/** The way to a queue's conflicts, as its next step for those who may decide one of them. @param props.hasOwn - whether there is one that they did not judge */
export function ConflictsLink({
  href,
  nConflicts,
  hasOwn,
}: {
  href: Route;
  nConflicts: number;
  hasOwn: boolean;
}) {
  const decides = useMay("saveDecision") && hasOwn;
  return (
    <ButtonLink href={href} look={decides ? "main" : "plain"}>
      {decides ? "Decide" : "See"} {formatPlural(nConflicts, "conflict")}
    </ButtonLink>
  );
}
