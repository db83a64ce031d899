import { CommandKey } from "@/components/shell/command-key";
import { type Confidence, CONFIDENCES } from "@/lib/core/domain/review";

import "./confidence-field.css";

export const CONFIDENCE_WORDS: Readonly<Record<Confidence, string>> = {
  low: "Low",
  medium: "Medium",
  high: "High",
};

export function cycleConfidence(value: Confidence | null): Confidence | null {
  return CONFIDENCES[value === null ? 0 : CONFIDENCES.indexOf(value) + 1] ?? null;
}

export function ConfidenceField({
  value,
  onChange,
}: {
  value: Confidence | null;
  onChange: (confidence: Confidence | null) => void;
}) {
  return (
    <div className="review-part row confidence-field">
      <h3 className="grow">Confidence</h3>
      <div className="confidence-choices" role="group" aria-label="Confidence">
        {CONFIDENCES.map((confidence) => (
          <button
            key={confidence}
            type="button"
            aria-pressed={value === confidence}
            onClick={() => onChange(value === confidence ? null : confidence)}
          >
            {CONFIDENCE_WORDS[confidence]}
          </button>
        ))}
      </div>
      <CommandKey id="review.confidence" />
    </div>
  );
}
