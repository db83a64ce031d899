"use client";

import { Check, Plus } from "lucide-react";
import { type RefObject, useEffect, useId, useState } from "react";

import { CommandKey } from "@/components/shell/command-key";
import { findCategories } from "@/lib/actions/annotations";
import { DRAFT_LIMITS } from "@/lib/domain/annotation";
import { foldLabel } from "@/lib/domain/codebook";
import { formatPlural } from "@/lib/format/number";
import type { OfferedCategory, SplitCategory } from "@/lib/queries/annotations/offers";

import { SplitNotes } from "./split-notes";
import { Problem } from "./review-fields";

import "@/components/ui/filter-bar.css";
import "./category-chips.css";

/** `chosen` with the category added, or removed when it was in it. A part of a split category takes the place of that one. */
export function toggleCategory(
  chosen: readonly string[],
  label: string,
  splits: readonly SplitCategory[] = [],
): readonly string[] {
  if (chosen.includes(label)) return chosen.filter((one) => one !== label);
  const whole = splits.filter(({ into }) => into.includes(label)).map((split) => split.label);
  return [...chosen.filter((one) => !whole.includes(one)), label];
}

/** Category chips with a field that searches the codebook. Enter in the field adds what it found, or a new category. */
export function CategoryChips({
  heading,
  offered,
  chosen,
  splits = [],
  problem,
  inputRef,
  onChange,
}: {
  heading: string;
  offered: readonly OfferedCategory[];
  chosen: readonly string[];
  /** Categories among the chosen ones that were split. */
  splits?: readonly SplitCategory[];
  problem: string | undefined;
  inputRef: RefObject<HTMLInputElement | null>;
  onChange: (chosen: readonly string[]) => void;
}) {
  const [described, setDescribed] = useState<OfferedCategory | null>(null);
  const others = chosen.filter((label) => offered.every((one) => one.label !== label));
  const toggle = (label: string) => onChange(toggleCategory(chosen, label, splits));
  return (
    <div className="review-part">
      <h3>
        {heading} <CommandKey id="review.search" />
      </h3>
      <div className="review-chips" role="group" aria-label={heading}>
        {offered.map((category) => (
          <CategoryChip
            key={category.label}
            category={category}
            isOn={chosen.includes(category.label)}
            onToggle={() => toggle(category.label)}
            onDescribe={setDescribed}
          />
        ))}
        {others.map((label) => (
          <button
            key={label}
            type="button"
            className="review-chip"
            aria-pressed="true"
            onClick={() => toggle(label)}
          >
            <Check size={12} strokeWidth={2.2} aria-hidden />
            <span className="cut">{label}</span>
          </button>
        ))}
      </div>
      <SplitNotes splits={splits} offered={offered} chosen={chosen} onChoose={toggle} />
      {described === null || described.definition === "" ? null : <Definition category={described} />}
      <CategoryField
        offered={offered}
        chosen={chosen}
        isInvalid={problem !== undefined}
        inputRef={inputRef}
        onChange={onChange}
      />
      <Problem text={problem} />
    </div>
  );
}

function CategoryChip({
  category,
  isOn,
  onToggle,
  onDescribe,
}: {
  category: OfferedCategory;
  isOn: boolean;
  onToggle: () => void;
  onDescribe: (category: OfferedCategory | null) => void;
}) {
  const { label, key, nOfTask, colour } = category;
  return (
    <button
      type="button"
      className={nOfTask > 0 ? "review-chip review-chip-used" : "review-chip"}
      aria-pressed={isOn}
      title={nOfTask === 0 ? undefined : `Used on ${formatPlural(nOfTask, "other trial")} of this task`}
      data-colour={colour ?? undefined}
      onClick={onToggle}
      onPointerEnter={() => onDescribe(category)}
      onFocus={() => onDescribe(category)}
      onBlur={() => onDescribe(null)}
    >
      {isOn ? <Check size={12} strokeWidth={2.2} aria-hidden /> : null}
      <span className="cut">{label}</span>
      {key === null ? null : <CommandKey id="review.category" nth={key} />}
    </button>
  );
}

/** What a category covers, and what it does not. */
function Definition({
  category: { label, definition, example, counterExample },
}: {
  category: OfferedCategory;
}) {
  return (
    <p className="caption review-definition" role="note">
      <b>{label}</b>: {definition}
      {example === "" ? null : (
        <>
          {" "}
          <b>Yes:</b> {example}
        </>
      )}
      {counterExample === "" ? null : (
        <>
          {" "}
          <b>No:</b> {counterExample}
        </>
      )}
    </p>
  );
}

/** Waits until nobody typed for so long, in milliseconds. */
const PAUSE_MS = 120;

/** The field for a category that no chip shows. Enter or leaving the field adds it; a known one is found again. */
function CategoryField({
  offered,
  chosen,
  isInvalid,
  inputRef,
  onChange,
}: {
  offered: readonly OfferedCategory[];
  chosen: readonly string[];
  isInvalid: boolean;
  inputRef: RefObject<HTMLInputElement | null>;
  onChange: (chosen: readonly string[]) => void;
}) {
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly OfferedCategory[]>([]);
  const listId = useId();
  const sought = text.trim();

  useEffect(() => {
    if (sought === "") return;
    let isLate = false;
    const timer = setTimeout(() => {
      findCategories({ text: sought }).then(
        (categories) => {
          if (!isLate) setFound(categories);
        },
        // Without an answer the field takes what was typed.
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [sought]);

  function add() {
    const typed = text.trim().replace(/\s+/g, " ");
    if (typed === "") return;
    const known = [...offered, ...found].find(({ label }) => foldLabel(label) === foldLabel(typed));
    const label = known?.label ?? typed;
    if (!chosen.includes(label)) onChange([...chosen, label]);
    setText("");
  }

  return (
    <label className="field review-category-field">
      <Plus size={14} aria-hidden />
      <span className="screen-reader">Search the codebook, Enter adds the category</span>
      <input
        ref={inputRef}
        value={text}
        placeholder="Search or add a category"
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
        {found.map(({ label, definition }) => (
          <option key={label} value={label}>
            {definition}
          </option>
        ))}
      </datalist>
    </label>
  );
}
