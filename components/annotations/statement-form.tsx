"use client";

import { ChevronUp } from "lucide-react";
import type { ComponentProps, ReactNode, RefObject } from "react";

import { useAccountName } from "@/components/shell/account-context";
import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { type Judgment, JUDGMENTS } from "@/lib/core/domain/judgment";

import { AnnotationTime, JUDGMENT_MARKS, JUDGMENT_WORDS } from "./judgment-words";

import "./review.css";

/** The frame of a form that judges or decides: a bottom sheet in narrow windows. Elsewhere it is folded until it is used. */
export function StatementForm({
  title,
  isOpen,
  isUsed = true,
  onFold,
  onSave,
  inBrowser,
  status,
  foot,
  below,
  children,
}: {
  title: string;
  isOpen: boolean;
  isUsed?: boolean;
  onFold: () => void;
  onSave: () => void;
  inBrowser: boolean;
  status: { readonly words: ReactNode; readonly isBad: boolean };
  foot: ReactNode;
  below: ReactNode;
  children: ReactNode;
}) {
  return (
    <form
      className={`review-form${isOpen ? "" : isUsed ? " review-folded" : " review-folded review-unused"}`}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <header className="row review-head">
        <h2>{title}</h2>
        {/* Shown only where the form folds. */}
        <Button look="bare" className="review-fold" aria-expanded={isOpen} onClick={onFold}>
          <ChevronUp size={16} aria-hidden /> {isOpen ? "Fold" : "Whole form"}
        </Button>
        {inBrowser ? (
          <span
            className={`caption nowrap review-status${status.isBad ? " review-status-bad" : ""}`}
            role="status"
          >
            {status.words}
          </span>
        ) : null}
      </header>
      {/* Before the scripts are there a click would be lost without a word. */}
      <fieldset className="review-fields" disabled={!inBrowser}>
        <div className="review-body">{children}</div>
        <footer className="flow review-foot">{foot}</footer>
      </fieldset>
      {below}
    </form>
  );
}

export function Message({ isBad, children }: { isBad: boolean; children: ReactNode }) {
  return (
    <div
      className={isBad ? "review-message review-message-bad" : "review-message"}
      role={isBad ? "alert" : "status"}
    >
      {children}
    </div>
  );
}

interface VerdictButtonsProps {
  readonly label: string;
  readonly id: string;
  readonly value: string | null;
  readonly problem: string | undefined;
  readonly onChoose: (judgment: Judgment) => void;
  readonly children?: ReactNode;
}

export function VerdictButtons({ label, id, value, problem, onChoose, children }: VerdictButtonsProps) {
  return (
    <>
      <div className="review-verdicts" role="group" aria-label={label} aria-describedby={`${id}-problem`}>
        {JUDGMENTS.map((judgment) => (
          <button
            key={judgment}
            type="button"
            className={`review-verdict review-verdict-${judgment}`}
            aria-pressed={value === judgment}
            data-invalid={problem === undefined ? undefined : ""}
            onClick={() => onChoose(judgment)}
          >
            <Mark status={JUDGMENT_MARKS[judgment]} size={16} />
            {JUDGMENT_WORDS[judgment]}
            <CommandKey id={`review.${judgment}`} />
          </button>
        ))}
        {children}
      </div>
      <Problem id={`${id}-problem`} text={problem} isAlert />
    </>
  );
}

/** Buttons with at most one pressed; pressing it again releases it. */
export function Choices<Value extends string>({
  label,
  values,
  words,
  value,
  onChange,
}: {
  label: string;
  values: readonly Value[];
  words: Readonly<Record<Value, string>>;
  value: Value | null;
  onChange: (value: Value | null) => void;
}) {
  return (
    <div className="segment" role="group" aria-label={label}>
      {values.map((one) => (
        <button
          key={one}
          type="button"
          className="text-button"
          aria-pressed={value === one}
          onClick={() => onChange(value === one ? null : one)}
        >
          {words[one]}
        </button>
      ))}
    </div>
  );
}

/** Returns the value after `value`, and null after the last. */
export function cycle<Value>(values: readonly Value[], value: Value | null): Value | null {
  return values[value === null ? 0 : values.indexOf(value) + 1] ?? null;
}

interface TextPartProps {
  readonly id: string;
  readonly label: string;
  /** Makes the text required. */
  readonly help?: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  readonly onChange: (text: string) => void;
}

export function TextPart({ id, label, help, value, problem, inputRef, onChange }: TextPartProps) {
  const about = [help === undefined ? "" : `${id}-help`, problem === undefined ? "" : `${id}-problem`];
  return (
    <div className="review-part">
      <h3>
        <label htmlFor={id}>{label}</label> <CommandKey id="review.note" />
      </h3>
      <textarea
        id={id}
        ref={inputRef}
        className="input review-note"
        rows={4}
        value={value}
        required={help !== undefined}
        aria-invalid={problem !== undefined}
        aria-describedby={about.filter(Boolean).join(" ") || undefined}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={leaveOnEscape}
      />
      {help === undefined ? null : (
        <p className="caption" id={`${id}-help`}>
          {help}
        </p>
      )}
      <Problem id={`${id}-problem`} text={problem} isAlert />
    </div>
  );
}

function reveal(problem: HTMLElement | null): void {
  problem?.scrollIntoView({ block: "nearest" });
}

export function Problem({ id, text, isAlert }: { id?: string; text: string | undefined; isAlert?: boolean }) {
  if (text === undefined) return null;
  return (
    <p
      className="caption problem review-problem"
      id={id}
      role={isAlert ? "alert" : undefined}
      ref={isAlert ? reveal : undefined}
    >
      {text}
    </p>
  );
}

export function leaveOnEscape(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key === "Escape" && !event.nativeEvent.isComposing) event.currentTarget.blur();
}

/** The name that signs a statement: that of the account, if there is one. */
export function NameInput(props: ComponentProps<"input">) {
  return (
    <input
      className="input review-input"
      readOnly={useAccountName() !== null}
      autoComplete="name"
      maxLength={DRAFT_LIMITS.reviewerId}
      {...props}
    />
  );
}

export function SavedAt({ timestamp }: { timestamp: string }) {
  return (
    <>
      Saved <AnnotationTime timestamp={timestamp} />
    </>
  );
}

export const WAITING_WORDS =
  "Not saved: the server cannot be reached. Your text is kept in this browser and resent automatically.";
export const NO_ANSWER_WORDS = "The server did not respond. Your text is kept in this browser. Save again.";

export function describeRefusal(reason: string): string {
  return `${reason} Your text is kept in this browser.`;
}

interface ReadOnlyFormProps {
  readonly title: string;
  readonly className?: string;
  readonly below?: ReactNode;
  readonly children: ReactNode;
}

/** The frame for readers who may not judge or decide. */
export function ReadOnlyForm({ title, className = "review-form", below, children }: ReadOnlyFormProps) {
  return (
    <div className={className}>
      <header className="row review-head">
        <h2>{title}</h2>
      </header>
      <div className="review-body">{children}</div>
      {below}
    </div>
  );
}
