import { ChevronLeft, ChevronRight } from "lucide-react";

import { Link } from "@/components/ui/link";
import { formatPlural } from "@/lib/core/format/number";
import type { TrialSteps } from "@/lib/read/trial-reading";

import type { StepLinks } from "./step-links";

export function MarkNavigator({ panel, links }: { panel: TrialSteps; links: StepLinks }) {
  const keys = panel.markedKeys;
  if (keys.length === 0 || (keys.length === 1 && keys[0] === panel.currentKey)) return null;
  const at = panel.currentKey === null ? -1 : keys.indexOf(panel.currentKey);
  const neighbours = [
    ["Previous", ChevronLeft, keys[at - 1]],
    ["Next", ChevronRight, keys[at + 1]],
  ] as const;
  return (
    <span className="mark-navigator">
      {at === -1 ? "" : `${at + 1} of `}
      {formatPlural(keys.length, "step with an error", "steps with an error")}
      {neighbours.map(([word, Icon, key]) => {
        const label = `${word} step with an error`;
        return key === undefined ? (
          <span key={word} className="mark-navigator-none">
            <Icon size={14} aria-hidden />
          </span>
        ) : (
          <Link
            key={word}
            href={links.step(key)}
            mode="stay"
            title={label}
            aria-label={label}
            data-error-step={word}
          >
            <Icon size={14} aria-hidden />
          </Link>
        );
      })}
    </span>
  );
}
