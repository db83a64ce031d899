import { formatCount } from "@/lib/core/format/number";
import type { Owner } from "@/lib/core/triage/classes";

import "@/components/ui/outcome-bar.css";

type Tone = Owner | "passed" | "partial" | "failed" | "unknown";

/** Parts of trials, each as long as its share. */
export function ShareBar({ parts }: { parts: readonly (readonly [tone: Tone, n: number, words: string])[] }) {
  const some = parts.filter(([, n]) => n > 0);
  if (some.length === 0) return null;
  const said = some.map(([, n, words]) => `${formatCount(n)} ${words}`).join(", ");
  return (
    <div className="outcome-shares" role="img" aria-label={said} title={said}>
      {some.map(([tone, n, words]) => (
        <span key={words} data-owner={tone} data-outcome={tone} style={{ flexGrow: n }} />
      ))}
    </div>
  );
}
