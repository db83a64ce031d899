import { EvidenceLinks } from "@/components/annotations/evidence-list";
import { CutNote } from "@/components/ui/cut-note";
import type { TagEvidence } from "@/lib/core/domain/imported-tag";
import { countPageBytes, fitPage, takeFitting } from "@/lib/core/domain/page-bytes";
import { nameSuggester } from "@/lib/core/domain/suggestion";
import type { TrialAnswers } from "@/lib/pages/annotations/suggestions";

import { SuggestionAnswers } from "./suggestion-answer";
import { AsideSection, type TrialAt } from "./trial-parts";

/** Bytes of all tags, of a description and of a quote, and of a tag without its texts. */
const MAX_BYTES = 100_000;
const DESCRIPTION_BYTES = 4_000;
const QUOTE_BYTES = 400;
const TAG_BYTES = 2_000;
const MOST_SHOWN = 10;

type Tag = TrialAnswers["imported"][number];

export function ImportedTags({ at, answers }: { at: TrialAt; answers: TrialAnswers | null }) {
  if (answers === null || answers.imported.length === 0) return null;
  const shown = takeFitting(answers.imported.map(shorten), MAX_BYTES, countBytes);
  return (
    <AsideSection title="Imported tags" note="by other tools" id="imported">
      <ul className="tags">
        {shown.map(({ source, category, description, evidence }, nth) => (
          <li key={nth}>
            <span className="row tag-head">
              {category}
              <span className="caption">{source}</span>
            </span>
            {description === null ? null : <p className="caption">{description}</p>}
            <EvidenceLinks evidence={evidence.filter((piece) => typeof piece !== "string")} at={at.page.at} />
            {evidence.map((piece, place) =>
              typeof piece === "string" ? (
                <p key={place} className="caption">
                  <q>{piece}</q>
                </p>
              ) : null,
            )}
            <SuggestionAnswers
              of={answers}
              suggestion={{ suggester: nameSuggester("import", source), version: category }}
              label={`${category}, says ${source}`}
            />
          </li>
        ))}
      </ul>
      <CutNote shown={shown.length} total={answers.imported.length}>
        An export of the annotations has all of them.
      </CutNote>
    </AsideSection>
  );
}

function shorten({ description, evidence, ...tag }: Tag): Tag {
  return {
    ...tag,
    description: description === null ? null : cut(description, DESCRIPTION_BYTES),
    evidence: evidence
      .slice(0, MOST_SHOWN)
      .map((piece): TagEvidence => (typeof piece === "string" ? cut(piece, QUOTE_BYTES) : piece)),
  };
}

function cut(text: string, bytes: number): string {
  const fitting = fitPage(text, bytes);
  return fitting.length < text.length ? `${fitting} …` : text;
}

function countBytes({ source, category, description, evidence }: Tag): number {
  const texts = [source, category, category, description ?? "", JSON.stringify(evidence)];
  return TAG_BYTES + texts.reduce((sum, text) => sum + 2 * countPageBytes(text), 0);
}
