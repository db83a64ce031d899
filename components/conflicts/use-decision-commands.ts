"use client";

import { toggleCategory } from "@/components/annotations/category-chips";
import type { DecisionChoice, DecisionContent } from "@/components/annotations/draft-storage";
import { cycle } from "@/components/annotations/statement-form";
import { announce } from "@/components/shell/announcer";
import { useCommands } from "@/components/shell/commands";
import { DECISION_BASES, type DecisionBasis } from "@/lib/core/domain/review";
import type { OfferedCategory } from "@/lib/pages/annotations/offers";

export const BASIS_WORDS: Readonly<Record<DecisionBasis, string>> = {
  a: "A",
  b: "B",
  both: "Both",
  own: "Own",
};

function focusAnchor(by: 1 | -1): void {
  const anchors = [...document.querySelectorAll<HTMLElement>("a[data-anchor]")];
  const at = anchors.findIndex((one) => one === document.activeElement);
  const next = at === -1 ? (by === 1 ? 0 : anchors.length - 1) : at + by;
  anchors[(next + anchors.length) % anchors.length]?.focus();
}

export function useDecisionCommands({
  content,
  change,
  offered,
  isDeciding,
  choose,
  save,
  undo,
  focusReason,
  focusCategory,
}: {
  readonly content: DecisionContent;
  readonly change: (change: Partial<DecisionContent>) => void;
  readonly offered: readonly OfferedCategory[];
  readonly isDeciding: boolean;
  readonly choose: (choice: DecisionChoice) => void;
  readonly save: (thenNext: boolean) => void;
  readonly undo: () => void;
  readonly focusReason: () => void;
  readonly focusCategory: () => void;
}): void {
  function changeBasis() {
    const basedOn = cycle(DECISION_BASES, content.basedOn);
    change({ basedOn });
    announce(basedOn === null ? "Based on nothing" : `Based on ${BASIS_WORDS[basedOn]}`);
  }
  function toggleDigit(digit: number): unknown {
    const label = offered.find(({ key }) => key === digit)?.label;
    if (label === undefined) return false;
    const categories = toggleCategory(content.categories, label);
    change({ categories });
    announce(`${label}: ${categories.includes(label) ? "added" : "removed"}`);
    return undefined;
  }
  useCommands({
    "review.pass": () => choose("pass"),
    "review.fail": () => choose("fail"),
    "review.defer": () => choose("defer"),
    "adjudication.open": () => choose("open"),
    "adjudication.basis": () => (isDeciding ? changeBasis() : false),
    "review.category": (digit) => {
      // Swallowed: otherwise the bare digit would be a verdict.
      if (isDeciding) toggleDigit(digit);
      return true;
    },
    "review.search": focusCategory,
    "review.note": focusReason,
    "adjudication.unclear": () =>
      isDeciding ? change({ codebookNote: content.codebookNote === null ? "" : null }) : false,
    "adjudication.nextAnchor": () => focusAnchor(1),
    "adjudication.previousAnchor": () => focusAnchor(-1),
    "review.undo": undo,
    "review.save": () => save(false),
    "review.saveNext": () => save(true),
  });
}
