import { formatCount } from "@/lib/core/format/number";
import type { Owner } from "@/lib/core/triage/classes";

type Tone = Owner | "passed" | "failed";

/** Parts of trials, each as long as its share. */
export function ShareBar({ parts }: { parts: readonly (readonly [tone: Tone, n: number, words: string])[] }) {
  const some = parts.filter(([, n]) => n > 0);
  if (some.length === 0) return null;
  const said = some.map(([, n, words]) => `${formatCount(n)} ${words}`).join(", ");
  return (
    <div className="share-bar" role="img" aria-label={said} title={said}>
      {some.map(([tone, n, words]) => (
        <span key={words} data-owner={tone} style={{ flexGrow: n }} />
      ))}
    </div>
  );
}
