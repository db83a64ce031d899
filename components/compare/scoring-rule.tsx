import type { Route } from "next";

import { FacetMenu } from "@/components/ui/facet-menu";
import { SCORING_CHOICES, SCORING_WORDS } from "@/lib/core/domain/scoring-choice";
import type { CompareParams } from "@/lib/pages/compare/address";

type Rule = Pick<CompareParams, "rule" | "missing">;

export function ScoringRule({
  params: { rule, missing },
  hrefOf,
}: {
  params: Rule;
  hrefOf: (change: Rule) => Route;
}) {
  const chosen = missing === "exclude" ? "graded" : rule;
  return (
    <FacetMenu
      label="Scoring rule"
      clearHref={hrefOf({ rule: "recorded", missing: "zero" })}
      options={SCORING_CHOICES.map((value) => ({
        value,
        label: SCORING_WORDS[value],
        count: null,
        selected: value === chosen,
        href: hrefOf({ rule: value, missing: "zero" }),
      }))}
    />
  );
}
