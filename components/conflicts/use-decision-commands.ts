"use client";

import { toggleDigit } from "@/components/annotations/category-chips";
import { cycle } from "@/components/annotations/statement-form";
import { announce } from "@/components/shell/announcer";
import { useCommands } from "@/components/shell/commands";
import { DECISION_BASES, type DecisionBasis } from "@/lib/core/domain/review";

import type { DecisionPanel } from "./use-decision";

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
  draft: { content, change },
  offered,
  isDeciding,
  choose,
  save,
  undo,
  reason,
  typedCategory,
}: Omit<DecisionPanel, "answer">): void {
  function changeBasis() {
    const basedOn = cycle(DECISION_BASES, content.basedOn);
    change({ basedOn });
    announce(basedOn === null ? "Based on nothing" : `Based on ${BASIS_WORDS[basedOn]}`);
  }
  useCommands({
    "review.pass": () => choose("pass"),
    "review.fail": () => choose("fail"),
    "review.defer": () => choose("defer"),
    "adjudication.open": () => choose("open"),
    "adjudication.basis": () => (isDeciding ? changeBasis() : false),
    "review.category": (digit) => {
      // Swallowed: otherwise the bare digit would be a verdict.
      const categories = isDeciding ? toggleDigit(digit, offered, content.categories) : null;
      if (categories !== null) change({ categories });
      return true;
    },
    "review.search": typedCategory.focus,
    "review.note": () => reason.current?.focus(),
    "adjudication.unclear": () =>
      isDeciding ? change({ codebookNote: content.codebookNote === null ? "" : null }) : false,
    "adjudication.nextAnchor": () => focusAnchor(1),
    "adjudication.previousAnchor": () => focusAnchor(-1),
    "review.undo": undo,
    "review.save": () => save(false),
    "review.saveNext": () => save(true),
  });
}
