"use client";

import { Plus } from "lucide-react";
import { type RefObject, useEffect, useId, useState } from "react";

import { announce } from "@/components/shell/announcer";
import { Button } from "@/components/ui/button";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { foldLabel } from "@/lib/core/domain/codebook";
import { formatPlural } from "@/lib/core/format/number";
import { findCategories } from "@/lib/pages/annotations/actions";
import type { OfferedCategory } from "@/lib/pages/annotations/review";

import { Problem } from "./statement-form";

export type TypedCategory = ReturnType<typeof useTypedCategory>;

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
export function CategoryField({
  offered,
  chosen,
  isInvalid,
  typed,
  inputRef,
  onChange,
}: {
  offered: readonly OfferedCategory[];
  chosen: readonly string[];
  isInvalid: boolean;
  typed: TypedCategory;
  inputRef: RefObject<HTMLInputElement | null>;
  onChange: (chosen: readonly string[]) => void;
}) {
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

function AboutTyped({
  id,
  name,
  hint,
  isLeft,
  onNew,
}: {
  id: string;
  name: string;
  hint: string | null;
  isLeft: boolean;
  onNew: () => void;
}) {
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
