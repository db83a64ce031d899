import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import type { OfferedCategory, SplitCategory } from "@/lib/pages/annotations/offers";

export function SplitNotes({
  splits,
  offered,
  chosen,
  onChoose,
}: {
  splits: readonly SplitCategory[];
  offered: readonly OfferedCategory[];
  chosen: readonly string[];
  onChoose: (label: string) => void;
}) {
  return splits
    .filter(({ label }) => chosen.includes(label))
    .map(({ label, into }) => (
      <div key={label} className="review-message" role="note">
        <p>
          {into.length === 0
            ? `“${label}” was split into categories that are gone: choose another.`
            : `“${label}” was split into ${joinNames(into)}: choose again.`}
        </p>
        <p className="review-message-actions">
          {into.map((part) => {
            const key = offered.find((one) => one.label === part)?.key ?? null;
            return (
              <Button key={part} onClick={() => onChoose(part)}>
                <span className="cut">{part}</span>
                {key === null ? null : <CommandKey id="review.category" nth={key} />}
              </Button>
            );
          })}
        </p>
      </div>
    ));
}

function joinNames(names: readonly string[]): string {
  const quoted = names.map((name) => `“${name}”`);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} and ${last}`;
}
