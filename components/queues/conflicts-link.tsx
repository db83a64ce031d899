"use client";

import type { Route } from "next";

import { useMay } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { formatPlural } from "@/lib/core/format/number";

export function ConflictsLink({
  href,
  nConflicts,
  hasUnjudged,
}: {
  href: Route;
  nConflicts: number;
  hasUnjudged: boolean;
}) {
  const decides = useMay("saveDecision") && hasUnjudged;
  return (
    <ButtonLink href={href} look={decides ? "main" : "plain"}>
      {decides ? "Decide" : "See"} {formatPlural(nConflicts, "conflict")}
    </ButtonLink>
  );
}
