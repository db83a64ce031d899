import type { Seal as SealName } from "@/lib/domain/verification";
import { formatSeal, SEAL_MEANINGS } from "@/lib/format/words";

import { referToGlyph } from "./glyph";

import "./seal.css";

/** The ring of a seal, always beside a word. */
export function SealRing({ seal, size = 14 }: { seal: SealName; size?: 14 | 16 }) {
  const shape = seal === "not-recorded" || seal === "interim" ? "open" : seal;
  return (
    <svg
      width={size}
      height={size}
      aria-hidden="true"
      dangerouslySetInnerHTML={referToGlyph(`seal-${shape}`)}
    />
  );
}

/** A seal with its word, for rows. */
export function Seal({ seal, ulps = null, words }: { seal: SealName; ulps?: number | null; words?: string }) {
  return (
    <span className={`seal seal-${seal}`} title={SEAL_MEANINGS[seal]}>
      <SealRing seal={seal} />
      {words ?? formatSeal(seal, ulps)}
    </span>
  );
}
