import { Link } from "@/components/ui/link";
import { openTrialHref, type OpenTrial } from "@/lib/addresses/trial";

const STEP = /\b((?:trajectory )?steps? (\d{1,6}))\b/;

/** A text in which every step of the shown trajectory that it names by its number is a link to that step. */
export function LinkedSteps({ text, at, nSteps }: { text: string; at: OpenTrial; nSteps: number }) {
  // Every third part is what names a step, and the one behind it the number alone.
  return text.split(STEP).map((part, nth, parts) => {
    if (nth % 3 === 2) return null;
    const step = Number(parts[nth + 1]);
    if (nth % 3 === 0 || step < 1 || step > nSteps) return part;
    return (
      <Link key={nth} href={openTrialHref(at, { step: String(step) })} mode="stay">
        {part}
      </Link>
    );
  });
}
