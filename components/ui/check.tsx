import type { Route } from "next";

import type { CheckVerdict } from "@/lib/core/domain/verification";
import { formatVerdict, VERDICT_MEANINGS } from "@/lib/core/format/words";

import { Link } from "./link";

export function CheckRing({ verdict, size = 14 }: { verdict: CheckVerdict; size?: 14 | 16 }) {
  const shape = verdict === "not-recorded" || verdict === "interim" ? "open" : verdict;
  return (
    <svg width={size} height={size} aria-hidden="true">
      <use href={`#check-${shape}`} />
    </svg>
  );
}

export function Check({
  verdict,
  ulps = null,
  words,
}: {
  verdict: CheckVerdict;
  ulps?: number | null;
  words?: string;
}) {
  return (
    <span className={`status-word check check-${verdict}`} title={VERDICT_MEANINGS[verdict]}>
      <CheckRing verdict={verdict} />
      {words ?? formatVerdict(verdict, ulps)}
    </span>
  );
}

export function Stamp({ verdict, words, href }: { verdict: CheckVerdict; words: string; href: Route }) {
  return (
    <Link className={`stamp check-${verdict}`} href={href} title={VERDICT_MEANINGS[verdict]}>
      <CheckRing verdict={verdict} size={16} />
      {words}
    </Link>
  );
}
