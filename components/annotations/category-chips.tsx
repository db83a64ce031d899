"use client";

import { Check } from "lucide-react";
import { type RefObject, useState } from "react";

import { announce } from "@/components/shell/announcer";
import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { formatPlural } from "@/lib/core/format/number";
import type { OfferedCategory, SplitCategory } from "@/lib/pages/annotations/review";

import { CategoryField, type TypedCategory } from "./category-field";

import "./category-colours.css";
import "./category-chips.css";
import { Problem } from "./statement-form";

function toggleCategory(
  chosen: readonly string[],
  label: string,
  splits: readonly SplitCategory[] = [],
): readonly string[] {
  if (chosen.includes(label)) return chosen.filter((one) => one !== label);
  const whole = splits.filter(({ into }) => into.includes(label)).map((split) => split.label);
  return [...chosen.filter((one) => !whole.includes(one)), label];
}

/** Toggles the category of a digit and announces it; null if no category has the digit. */
export function toggleDigit(
  digit: number,
  offered: readonly OfferedCategory[],
  chosen: readonly string[],
  splits: readonly SplitCategory[] = [],
): readonly string[] | null {
  const label = offered.find(({ key }) => key === digit)?.label;
  if (label === undefined) return null;
  const categories = toggleCategory(chosen, label, splits);
  announce(`${label}: ${categories.includes(label) ? "added" : "removed"}`);
  return categories;
}

export function CategoryChips({
  heading,
  offered,
  chosen,
  splits = [],
  problem,
  typed,
  inputRef,
  onChange,
}: {
  heading: string;
  offered: readonly OfferedCategory[];
  chosen: readonly string[];
  splits?: readonly SplitCategory[];
  problem: string | undefined;
  typed: TypedCategory;
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
        typed={typed}
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

function SplitNotes({
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
            ? `“${label}” was split into categories that no longer exist. Choose another.`
            : `“${label}” was split into ${joinNames(into)}. Choose again.`}
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
