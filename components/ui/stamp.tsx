import type { Route } from "next";

import type { CheckVerdict } from "@/lib/core/domain/verification";
import { VERDICT_MEANINGS } from "@/lib/core/format/words";

import { CheckRing } from "./check";
import { Link } from "./link";

export function Stamp({ verdict, words, href }: { verdict: CheckVerdict; words: string; href: Route }) {
  return (
    <Link className={`stamp check-${verdict}`} href={href} title={VERDICT_MEANINGS[verdict]}>
      <CheckRing verdict={verdict} size={16} />
      {words}
    </Link>
  );
}
