"use client";

import { type ReactNode, useId } from "react";

export function Field({
  label,
  problem,
  hint,
  children,
}: {
  label: string;
  problem?: string | undefined;
  hint?: string;
  children: (ids: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="queue-field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": `${id}-says`, "aria-invalid": problem !== undefined })}
      <div id={`${id}-says`}>
        {problem === undefined ? null : <p className="problem">{problem}</p>}
        {hint === undefined ? null : <p className="caption queue-hint">{hint}</p>}
      </div>
    </div>
  );
}

export function TextField({
  label,
  name,
  value,
  problem,
  isNumber,
  isFirst,
  onChange,
}: {
  label: string;
  name: string;
  value: string;
  problem: string | undefined;
  isNumber: boolean;
  isFirst: boolean;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label} problem={problem}>
      {(ids) => (
        <input
          {...ids}
          className={isNumber ? "input queue-number" : "input"}
          name={name}
          value={value}
          inputMode={isNumber ? "numeric" : "text"}
          autoComplete="off"
          autoFocus={isFirst}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export function Choice<Value extends string>({
  label,
  values,
  words,
  value,
  problem,
  hint,
  onChange,
}: {
  label: string;
  values: readonly Value[];
  words: Readonly<Record<Value, string>>;
  value: Value;
  problem?: string | undefined;
  hint?: string;
  onChange: (value: Value) => void;
}) {
  return (
    <Field label={label} problem={problem} {...(hint === undefined ? {} : { hint })}>
      {(ids) => (
        <select
          {...ids}
          className="input"
          value={value}
          onChange={(event) => {
            const chosen = values.find((one) => one === event.target.value);
            if (chosen !== undefined) onChange(chosen);
          }}
        >
          {values.map((one) => (
            <option key={one} value={one}>
              {words[one]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Boxes<Value extends string>({
  legend,
  values,
  words,
  chosen,
  onChange,
}: {
  legend: string;
  values: readonly Value[];
  words: Readonly<Record<Value, string>>;
  chosen: readonly Value[];
  onChange: (chosen: readonly Value[]) => void;
}) {
  return (
    <fieldset className="queue-boxes">
      <legend>{legend}</legend>
      {values.map((value) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(values.filter((one) => (one === value ? target.checked : chosen.includes(one))))
            }
          />{" "}
          {words[value]}
        </label>
      ))}
    </fieldset>
  );
}
