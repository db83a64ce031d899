"use client";

import { Check, Plus } from "lucide-react";
import { type RefObject, useId, useState } from "react";

import { KeyCap } from "@/components/ui/button";
import type { CategorySuggestion } from "@/lib/annotations";
import { DRAFT_LIMITS } from "@/lib/domain/annotation";
import { formatPlural } from "@/lib/format/number";

import { Problem } from "./review-fields";

import "@/components/ui/filter-bar.css";
import "./category-chips.css";

/** Key caps are shown for as many chips as there are digits. */
const KEYED = 9;

/** The chips to show: the suggestions in their order, then chosen ones that are not among them. */
export function listChips(
  suggestions: readonly CategorySuggestion[],
  chosen: readonly string[],
): readonly string[] {
  const offered = suggestions.map(({ label }) => label);
  return [...offered, ...chosen.filter((label) => !offered.includes(label))];
}

/** `chosen` with the category added, or removed when it was in it. */
export function toggleCategory(chosen: readonly string[], label: string): readonly string[] {
  return chosen.includes(label) ? chosen.filter((one) => one !== label) : [...chosen, label];
}

/** Category chips with a field for another one. Enter in the field adds it; Escape leaves the field. */
export function CategoryChips({
  heading,
  suggestions,
  chosen,
  problem,
  inputRef,
  onChange,
}: {
  heading: string;
  suggestions: readonly CategorySuggestion[];
  chosen: readonly string[];
  problem: string | undefined;
  inputRef: RefObject<HTMLInputElement | null>;
  onChange: (chosen: readonly string[]) => void;
}) {
  const labels = listChips(suggestions, chosen);
  return (
    <div className="review-part">
      <h3>
        {heading} <KeyCap>t</KeyCap>
      </h3>
      <div className="review-chips" role="group" aria-label={heading}>
        {labels.map((label, index) => {
          const use = suggestions.find((one) => one.label === label);
          const isOn = chosen.includes(label);
          return (
            <button
              key={label}
              type="button"
              className="review-chip"
              aria-pressed={isOn}
              title={describeUse(use)}
              onClick={() => onChange(toggleCategory(chosen, label))}
            >
              {isOn ? <Check size={12} strokeWidth={2.2} aria-hidden /> : null}
              <span className="cut">{label}</span>
              {index < KEYED ? <KeyCap>⇧{index + 1}</KeyCap> : null}
            </button>
          );
        })}
      </div>
      <CategoryField
        labels={labels}
        chosen={chosen}
        isInvalid={problem !== undefined}
        inputRef={inputRef}
        onChange={onChange}
      />
      <Problem text={problem} />
    </div>
  );
}

function describeUse(use: CategorySuggestion | undefined): string | undefined {
  if (use === undefined || use.nAll === 0) return undefined;
  if (use.nTask > 0) return `Used on ${formatPlural(use.nTask, "trial")} of this task`;
  return use.nJob > 0
    ? `Used on ${formatPlural(use.nJob, "trial")} of this job`
    : `Used on ${formatPlural(use.nAll, "trial")}`;
}

/** The field for a category that no chip shows. Enter or leaving the field adds it; a known one is found again. */
function CategoryField({
  labels,
  chosen,
  isInvalid,
  inputRef,
  onChange,
}: {
  labels: readonly string[];
  chosen: readonly string[];
  isInvalid: boolean;
  inputRef: RefObject<HTMLInputElement | null>;
  onChange: (chosen: readonly string[]) => void;
}) {
  const [text, setText] = useState("");
  const listId = useId();

  function add() {
    const typed = text.trim().replace(/\s+/g, " ");
    if (typed === "") return;
    const label = labels.find((known) => known.toLowerCase() === typed.toLowerCase()) ?? typed;
    if (!chosen.includes(label)) onChange([...chosen, label]);
    setText("");
  }

  return (
    <label className="field review-category-field">
      <Plus size={14} aria-hidden />
      <span className="screen-reader">Other category, Enter adds it</span>
      <input
        ref={inputRef}
        value={text}
        placeholder="Other category"
        autoComplete="off"
        list={listId}
        maxLength={DRAFT_LIMITS.category}
        aria-invalid={isInvalid}
        onChange={(event) => setText(event.target.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
          if (event.key === "Escape") event.currentTarget.blur();
          if (event.key !== "Enter") return;
          event.preventDefault();
          add();
        }}
      />
      <datalist id={listId}>
        {labels
          .filter((label) => !chosen.includes(label))
          .map((label) => (
            <option key={label} value={label} />
          ))}
      </datalist>
    </label>
  );
}
