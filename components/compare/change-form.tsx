"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";

import { withBasePath } from "@/lib/core/domain/base-path";

/** Choices are the URL, followed without a page load. Not links, because each URL would repeat every group. */
export function ChangeForm({
  kept,
  children,
}: {
  /** Parameters that no field of the form has. */
  kept: readonly (readonly [string, string])[];
  children: ReactNode;
}) {
  const router = useRouter();
  const open = (form: HTMLFormElement): void => {
    const fields = [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === "string" && value !== "" ? [[name, value]] : [],
    );
    router.replace(`/compare?${new URLSearchParams(fields).toString()}` as Route, { scroll: false });
  };
  return (
    <form
      action={withBasePath("/compare")}
      className="change-fields"
      onSubmit={(event) => {
        event.preventDefault();
        open(event.currentTarget);
      }}
      onChange={({ currentTarget, target }) => {
        if (target instanceof HTMLSelectElement) open(currentTarget);
      }}
    >
      {kept.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {children}
      {/* Selects apply at once; without scripts this does. */}
      <noscript>
        <button className="button">Apply</button>
      </noscript>
    </form>
  );
}

/** The first option is the default, which the URL leaves out. */
export function Choice({
  label,
  name,
  value,
  options,
}: {
  label: string;
  name: string;
  value: string;
  options: readonly { readonly value: string; readonly label: string }[];
}) {
  const [usual] = options;
  if (options.length < 2) return null;
  return (
    <label>
      {label}
      <select
        key={value}
        className={value === usual?.value ? "input" : "input changed"}
        name={name}
        defaultValue={value === usual?.value ? "" : value}
      >
        {options.map((option, at) => (
          <option key={option.value} value={at === 0 ? "" : option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
