"use client";

import { Check, Plus } from "lucide-react";
import { type RefObject, useEffect, useId, useState } from "react";

import { announce } from "@/components/shell/announcer";
import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { foldLabel } from "@/lib/core/domain/codebook";
import { formatPlural } from "@/lib/core/format/number";
import { findCategories } from "@/lib/pages/annotations/actions";
import type { OfferedCategory, SplitCategory } from "@/lib/pages/annotations/review";

import { Problem } from "./statement-form";

import "./category-colours.css";
import "./review.css";

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

interface FieldProps {
  readonly offered: readonly OfferedCategory[];
  readonly chosen: readonly string[];
  readonly typed: ReturnType<typeof useTypedCategory>;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly onChange: (chosen: readonly string[]) => void;
}

interface ChipsProps extends FieldProps {
  readonly heading: string;
  readonly splits?: readonly SplitCategory[];
  readonly problem: string | undefined;
}

export function CategoryChips({ heading, splits = [], problem, ...field }: ChipsProps) {
  const { offered, chosen, onChange } = field;
  const [described, setDescribed] = useState<OfferedCategory | null>(null);
  const others = chosen.filter((label) => offered.every((one) => one.label !== label));
  const toggle = (label: string) => onChange(toggleCategory(chosen, label, splits));
  return (
    <div className="review-part">
      <h3>
        {heading} <CommandKey id="review.search" />
      </h3>
      <div className="flow review-chips" role="group" aria-label={heading}>
        {[...offered, ...others.map(nameOnly)].map((category) => (
          <CategoryChip
            key={category.label}
            category={category}
            isOn={chosen.includes(category.label)}
            onToggle={() => toggle(category.label)}
            onDescribe={setDescribed}
          />
        ))}
      </div>
      <SplitNotes splits={splits} offered={offered} chosen={chosen} onChoose={toggle} />
      {described === null || described.definition === "" ? null : <Definition category={described} />}
      <CategoryField {...field} isInvalid={problem !== undefined} />
      <Problem text={problem} />
    </div>
  );
}

function nameOnly(label: string): OfferedCategory {
  return { label, definition: "", example: "", counterExample: "", key: null, nOfTask: 0, colour: null };
}

interface CategoryChipProps {
  readonly category: OfferedCategory;
  readonly isOn: boolean;
  readonly onToggle: () => void;
  readonly onDescribe: (category: OfferedCategory | null) => void;
}

function CategoryChip({ category, isOn, onToggle, onDescribe }: CategoryChipProps) {
  const { label, key, nOfTask, colour } = category;
  return (
    <button
      type="button"
      className={`chip chip-on review-chip${nOfTask > 0 ? " review-chip-used" : ""}`}
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

interface SplitNotesProps {
  readonly splits: readonly SplitCategory[];
  readonly offered: readonly OfferedCategory[];
  readonly chosen: readonly string[];
  readonly onChoose: (label: string) => void;
}

function SplitNotes({ splits, offered, chosen, onChoose }: SplitNotesProps) {
  return splits
    .filter(({ label }) => chosen.includes(label))
    .map(({ label, into }) => (
      <div key={label} className="review-message" role="note">
        <p>
          {into.length === 0
            ? `“${label}” was split into categories that no longer exist. Choose another.`
            : `“${label}” was split into ${joinNames(into)}. Choose again.`}
        </p>
        <p className="flow review-message-actions">
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
  return new Intl.ListFormat("en-GB").format(names.map((name) => `“${name}”`));
}

export function useTypedCategory(input: RefObject<HTMLInputElement | null>) {
  const [text, setText] = useState("");
  const [wasLeft, setLeft] = useState(false);
  const isEmpty = text.trim() === "";
  return {
    text,
    isLeft: wasLeft && !isEmpty,
    type: (typed: string) => {
      setText(typed);
      setLeft(false);
    },
    leave: () => setLeft(true),
    focus: () => input.current?.focus(),
    holdsBack: () => {
      if (isEmpty || input.current === null) return false;
      input.current.focus();
      setLeft(true);
      return true;
    },
  };
}

const PAUSE_MS = 120;

/** Enter adds the category with this name or the only one with this prefix; with no match it makes a new one. */
function CategoryField({
  offered,
  chosen,
  typed,
  inputRef,
  onChange,
  isInvalid,
}: FieldProps & { isInvalid: boolean }) {
  const found = useFound(typed.text.trim());
  const listId = useId();
  const hintId = useId();
  const name = typed.text.trim().replace(/\s+/g, " ");
  const { known, similar } = findSimilar(name, [...offered, ...found]);
  const hint = describeEnter(known, similar);

  function add(label: string) {
    const isChosen = chosen.includes(label);
    if (!isChosen) onChange([...chosen, label]);
    announce(`${label}: ${isChosen ? "already added" : "added"}`);
    typed.type("");
  }
  function enter() {
    const label = known ?? (similar.length === 0 ? name : similar.length === 1 ? similar[0] : undefined);
    if (label !== undefined && label !== "") add(label);
  }

  return (
    <>
      <label className="field review-category-field">
        <Plus size={14} aria-hidden />
        <span className="screen-reader">Search the codebook; Enter adds the category</span>
        <input
          ref={inputRef}
          value={typed.text}
          placeholder="Search or add a category"
          autoComplete="off"
          list={listId}
          maxLength={DRAFT_LIMITS.category}
          aria-invalid={isInvalid || typed.isLeft}
          aria-describedby={hint === null && !typed.isLeft ? undefined : hintId}
          onChange={(event) => typed.type(event.target.value)}
          onBlur={typed.leave}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
            if (event.key === "Escape") {
              typed.type("");
              event.currentTarget.blur();
            }
            if (event.key !== "Enter") return;
            event.preventDefault();
            enter();
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
      <AboutTyped
        id={hintId}
        name={name}
        hint={hint}
        isLeft={typed.isLeft}
        onNew={() => {
          add(known ?? name);
          typed.focus();
        }}
      />
    </>
  );
}

interface AboutTypedProps {
  readonly id: string;
  readonly name: string;
  readonly hint: string | null;
  readonly isLeft: boolean;
  readonly onNew: () => void;
}

function AboutTyped({ id, name, hint, isLeft, onNew }: AboutTypedProps) {
  const way = hint ?? "Enter in the field adds it";
  return (
    <>
      {isLeft ? <Problem id={id} text={`“${name}” is not added. ${way}, Esc clears it.`} isAlert /> : null}
      {hint === null || isLeft ? null : (
        <p id={id} className="caption" role="status">
          {hint}.
        </p>
      )}
      {name === "" || (hint === null && !isLeft) ? null : (
        <Button
          look="bare"
          className="review-new-category"
          // Keeps the buttons in place: leaving the field would move them.
          onMouseDown={(event) => event.preventDefault()}
          onClick={onNew}
        >
          {hint === null ? `Add “${name}”` : `New category “${name}”`}
        </Button>
      )}
    </>
  );
}

function useFound(sought: string): readonly OfferedCategory[] {
  const [found, setFound] = useState<readonly OfferedCategory[]>([]);
  useEffect(() => {
    if (sought === "") return;
    let isLate = false;
    const timer = setTimeout(() => {
      findCategories({ text: sought }).then(
        (categories) => {
          if (!isLate) setFound(categories);
        },
        // Without an answer the field still takes the typed text.
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [sought]);
  return found;
}

function findSimilar(name: string, categories: readonly OfferedCategory[]) {
  const sought = foldLabel(name);
  if (sought === "") return { known: null, similar: [] };
  const labels = [...new Set(categories.map(({ label }) => label))];
  return {
    known: labels.find((label) => foldLabel(label) === sought) ?? null,
    similar: labels.filter((label) => foldLabel(label).startsWith(sought)),
  };
}

function describeEnter(known: string | null, similar: readonly string[]): string | null {
  const [first] = similar;
  if (known !== null || first === undefined) return null;
  if (similar.length === 1) return `Enter adds “${first}”`;
  const others = formatPlural(similar.length - 1, "other category", "other categories");
  return `“${first}” and ${others} match: keep typing`;
}
