import { useOffline } from "next/offline";

import { AnnotationTime, JUDGMENT_WORDS } from "@/components/annotations/judgment-words";
import { Message } from "@/components/annotations/statement-form";
import { Button } from "@/components/ui/button";
import type { OpenConflict } from "@/lib/pages/conflicts/page";

import type { DecisionPanel } from "./use-decision";

export function describeDecisionStatus(
  { answer, draft, isPending }: DecisionPanel,
  { decision }: OpenConflict,
): { readonly words: React.ReactNode; readonly isBad: boolean } {
  if (isPending) return { words: "Saving…", isBad: false };
  if (draft.hasDraft) {
    const isRefused = answer !== null && answer.status !== "saved" && answer.status !== "undone";
    return { words: isRefused ? "Not saved" : "Draft, not saved", isBad: isRefused };
  }
  if (decision !== null) {
    const words = (
      <>
        Saved <AnnotationTime timestamp={decision.decidedAt} />
      </>
    );
    return { words, isBad: false };
  }
  return { words: answer?.status === "undone" ? "Undone" : "Not decided", isBad: false };
}

export function DecisionMessages({ panel, conflict }: { panel: DecisionPanel; conflict: OpenConflict }) {
  const { answer, draft, isPending } = panel;
  const isWaiting = useOffline() && isPending;
  const text = isWaiting
    ? "Not saved: the server cannot be reached. Your text is kept in this browser and resent automatically."
    : describeAnswer(answer);
  if (draft.isOvertaken) return <Overtaken panel={panel} conflict={conflict} />;
  if (text === null) return null;
  const isGood = answer?.status === "saved" && !isWaiting;
  return (
    <Message isBad={!isGood}>
      <p>{text}</p>
    </Message>
  );
}

function describeAnswer(answer: DecisionPanel["answer"]): string | null {
  switch (answer?.status) {
    case undefined:
    case "saved":
    case "undone":
      return null;
    case "offline":
      return "The server did not respond. Your text is kept in this browser. Save again.";
    case "failed":
    case "conflict":
      return `${answer.message} Your text is kept in this browser.`;
    case "invalid":
      return [answer.message, ...Object.values(answer.fields)].join(" ");
  }
}

function Overtaken({ panel, conflict: { decision } }: { panel: DecisionPanel; conflict: OpenConflict }) {
  return (
    <Message isBad>
      {decision === null ? (
        <p>The decision you started from was undone. Your text is kept.</p>
      ) : (
        <>
          <p>
            {decision.decidedBy} decided meanwhile, <AnnotationTime timestamp={decision.decidedAt} />:{" "}
            {decision.finalJudgment === null ? "left open" : JUDGMENT_WORDS[decision.finalJudgment]}. Your
            text is kept.
          </p>
          <p className="review-entry-notes">{decision.reason}</p>
        </>
      )}
      <p className="review-message-actions">
        <Button onClick={panel.keepMine} disabled={panel.isPending || panel.isReviewer}>
          Keep mine
        </Button>
        <Button onClick={panel.draft.forget}>{decision === null ? "Discard mine" : "Keep theirs"}</Button>
      </p>
    </Message>
  );
}
