"use client";

import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";

import { useChange } from "./use-change";

export function CodingSwitch({ isOn }: { isOn: boolean }) {
  const { submit, problem, isPending } = useChange({ isTyped: false });
  const toggle = (): void =>
    submit(
      { kind: "open-coding", isOn: !isOn },
      {
        text: isOn
          ? "Open coding is off: reviewers choose categories."
          : "Open coding is on: reviewers write notes only.",
        undo: { kind: "open-coding", isOn },
      },
    );
  return (
    <div className="codebook-switch">
      <div className="row">
        <b>Open coding is {isOn ? "on" : "off"}.</b>
        <Button disabled={isPending} aria-pressed={isOn} onClick={toggle}>
          {isOn ? "End open coding" : "Start open coding"}
        </Button>
      </div>
      <p className="muted">
        Use it for the first 30 to 50 reviews: write judgments and notes only. Then read the notes together,
        add a category for each recurring cause, and end it.
      </p>
      <Problem>{problem}</Problem>
    </div>
  );
}
