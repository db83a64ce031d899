"use client";

import { type RefObject, useEffect, useRef, useState } from "react";

import { toggleDigit, useTypedCategory } from "@/components/annotations/categories";
import {
  type DecisionChoice,
  type DecisionContent,
  decisionDrafts,
  keepSaves,
  NO_DECISION,
  readReviewer,
  rememberReviewer,
  type Reviewer,
  unansweredSaves,
} from "@/components/annotations/drafts";
import { JUDGMENT_WORDS } from "@/components/annotations/judgment-words";
import { cycle } from "@/components/annotations/statement-form";
import { useLastStatement, useStatement } from "@/components/annotations/statements";
import { announce } from "@/components/shell/announcer";
import { useCommands } from "@/components/shell/commands";
import { computeReviewerKey, DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { DECISION_BASES, type DecisionBasis } from "@/lib/core/domain/review";
import { conflictsHref } from "@/lib/pages/annotations/review-address";
import { saveDecision, undoDecision } from "@/lib/pages/conflicts/actions";
import type { OpenConflict, ConflictsPage } from "@/lib/pages/conflicts/page";
import type { ActionFailure } from "@/lib/pages/shell/act";

export interface DecisionFormProps {
  readonly conflict: OpenConflict;
  readonly scope: ConflictsPage["scope"];
  readonly inBrowser: boolean;
}

type Problems = Readonly<Partial<Record<keyof DecisionContent | "decidedBy", string>>>;

function isEmpty({ choice, basedOn, categories, reason, codebookNote }: DecisionContent): boolean {
  return (
    choice === null && basedOn === null && categories.length === 0 && reason === "" && codebookNote === null
  );
}

function findProblems({ choice, reason, codebookNote }: DecisionContent, decider: Reviewer): Problems {
  return {
    ...(choice === null ? { choice: "Choose pass, fail or defer, or leave it open." } : {}),
    ...(reason.trim() === "" ? { reason: "Enter a reason (visible to reviewers)." } : {}),
    ...(reason.length > DRAFT_LIMITS.notes ? { reason: TOO_LONG } : {}),
    ...(codebookNote !== null && codebookNote.trim() === ""
      ? { codebookNote: "Enter what is unclear." }
      : {}),
    ...((codebookNote ?? "").length > DRAFT_LIMITS.notes ? { codebookNote: TOO_LONG } : {}),
    ...(decider.reviewerId.trim() === "" ? { decidedBy: "Enter your name (shown with the decision)." } : {}),
  };
}

const TOO_LONG = `At most ${DRAFT_LIMITS.notes.toLocaleString("en-US")} characters.`;

function useDraft({ conflict, inBrowser }: DecisionFormProps) {
  const { storageKey, decision } = conflict;
  const [kept, setKept] = useState(() => (inBrowser ? decisionDrafts.read(storageKey) : null));
  const [decider, setDecider] = useState<Reviewer>(() =>
    inBrowser ? readReviewer() : { reviewerId: "", reviewerDiscipline: null },
  );
  useEffect(() => {
    if (inBrowser) decisionDrafts.keep(storageKey, kept);
  }, [inBrowser, storageKey, kept]);
  const standing = decision?.decisionId ?? null;
  const content: DecisionContent = kept ?? NO_DECISION;
  return {
    content,
    decider,
    hasDraft: kept !== null,
    base: kept === null ? standing : kept.base,
    isOvertaken: kept !== null && kept.base !== standing,
    change: (change: Partial<DecisionContent>) => {
      unansweredSaves.keep(storageKey, null);
      const next = { ...content, ...change };
      const base = kept === null ? standing : kept.base;
      setKept(isEmpty(next) ? null : { ...next, base });
    },
    begin: () => {
      if (decision === null) return;
      const { finalJudgment, basedOn, categories, reason, codebookNote } = decision;
      const choice = finalJudgment ?? "open";
      setKept({ choice, basedOn, categories, reason, codebookNote, base: decision.decisionId });
    },
    forget: () => {
      // Immediate, because this form may never render again after a save.
      decisionDrafts.keep(storageKey, null);
      unansweredSaves.keep(storageKey, null);
      setKept(null);
    },
    sign: (reviewerId: string) => {
      unansweredSaves.keep(storageKey, null);
      const next = { ...decider, reviewerId };
      setDecider(next);
      rememberReviewer(next);
    },
  };
}

type Command =
  | { readonly kind: "save"; readonly thenNext: boolean; readonly base: string | null }
  | { readonly kind: "undo"; readonly decisionId: string };

type DecisionResult = Exclude<Awaited<ReturnType<typeof saveDecision | typeof undoDecision>>, ActionFailure>;

function useSave(
  { conflict, scope, inBrowser }: DecisionFormProps,
  draft: ReturnType<typeof useDraft>,
  note: RefObject<HTMLTextAreaElement | null>,
) {
  const { storageKey, taskName, place } = conflict;
  const saves = keepSaves(storageKey, saveDecision);
  return useStatement<Command, DecisionResult>({
    draftKey: storageKey,
    note,
    inBrowser,
    send: (command) => {
      if (command.kind === "undo") return undoDecision({ decisionId: command.decisionId });
      const { choice, ...content } = draft.content;
      return saves.send({
        queue: scope.queue,
        jobs: [...scope.jobs],
        sources: [...conflict.sources],
        draft: {
          ...content,
          finalJudgment: choice === "open" ? null : choice,
          decidedBy: draft.decider.reviewerId,
        },
        baseDecisionId: command.base,
        thenNext: command.thenNext,
      });
    },
    resend: saves.resend,
    describe: ({ decisionId }) => ({
      author: draft.decider.reviewerId,
      draftKey: storageKey,
      href: conflictsHref({ ...scope, open: place }),
      words: `Saved: your decision on ${taskName}.`,
      undoneWords: `Undone: your decision on ${taskName}.`,
      undo: () => undoDecision({ decisionId }),
    }),
    onAnswer: ({ status }) => {
      if (status === "saved") draft.forget();
    },
  });
}

export function useDecision(props: DecisionFormProps) {
  const { conflict } = props;
  const draft = useDraft(props);
  const reason = useRef<HTMLTextAreaElement>(null);
  const { answer, isPending, send } = useSave(props, draft, reason);
  const [wasTried, setTried] = useState(false);
  const last = useLastStatement(draft.decider.reviewerId, { hasSearch: true });
  const categoryInput = useRef<HTMLInputElement>(null);
  const typedCategory = useTypedCategory(categoryInput);
  const { content, decider, change } = draft;
  const deciderKey = computeReviewerKey(decider.reviewerId);
  const isReviewer =
    conflict.reviews.some(({ reviewerKey }) => reviewerKey === deciderKey) ||
    (deciderKey === "" && conflict.isOwn);
  const problems = findProblems(content, decider);
  const isDeciding = conflict.decision === null || draft.hasDraft;
  const offered = conflict.offered[content.choice ?? "fail"];

  function save(thenNext: boolean, base: string | null = draft.base) {
    if (isPending || isReviewer || !isDeciding || typedCategory.holdsBack()) return;
    const [wrong] = Object.keys(problems);
    setTried(wrong !== undefined);
    if (wrong === undefined) send({ kind: "save", thenNext, base });
    else
      document
        .querySelector<HTMLElement>(wrong === "choice" ? ".review-verdicts > button" : `#decision-${wrong}`)
        ?.focus();
  }
  function undo() {
    if (isPending) return;
    if (draft.hasDraft) {
      typedCategory.type("");
      draft.forget();
    } else if (last !== null) send({ kind: "undoLast", last });
    else if (conflict.decision !== null && conflict.mayUndo)
      send({ kind: "undo", decisionId: conflict.decision.decisionId });
  }
  function choose(choice: DecisionChoice) {
    if (!isDeciding) return;
    change({ choice });
    announce(choice === "open" ? "Left open" : `Decided ${JUDGMENT_WORDS[choice].toLowerCase()}, not saved`);
  }
  const panel = {
    draft,
    answer,
    isPending,
    isReviewer,
    isDeciding,
    offered,
    problems: wasTried ? problems : {},
    choose,
    save,
    keepMine: () => save(false, conflict.decision?.decisionId ?? null),
    undo,
    last,
    reason,
    typedCategory,
    categoryInput,
  };
  useDecisionCommands(panel);
  return panel;
}

export type DecisionPanel = ReturnType<typeof useDecision>;

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

function useDecisionCommands({
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
