import type { Route } from "next";
import Link from "next/link";

import type { Seal as SealName } from "@/lib/domain/verification";
import { SEAL_MEANINGS } from "@/lib/format/words";

import { SealRing } from "./seal";

/** The seal of a whole page in its title row. `words` say how many figures it stands for; `href` opens them. */
export function Stamp({ seal, words, href }: { seal: SealName; words: string; href: Route }) {
  return (
    <Link className={`stamp seal-${seal}`} href={href} title={SEAL_MEANINGS[seal]} prefetch={false}>
      <SealRing seal={seal} size={16} />
      {words}
    </Link>
  );
}
