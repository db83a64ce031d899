import { Link } from "@/components/ui/link";
import { openTrialHref, type OpenTrial } from "@/lib/pages/trial/address";

const STEP = /\b((?:trajectory )?steps? (\d{1,6}))\b/;

export function LinkedSteps({ text, at, nSteps }: { text: string; at: OpenTrial; nSteps: number }) {
  // Every third part names a step, and the next one is its number.
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
