"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import type { ReactNode, SubmitEvent } from "react";

import { withBasePath } from "@/lib/core/domain/base-path";
import { buildHref } from "@/lib/pages/address/href";

/** A plain form without scripts; with them the URL holds only what differs from the defaults. */
export function AddressForm({
  action,
  kept,
  usual = {},
  mode,
  className,
  children,
}: {
  action: Route;
  /** Values of the address that the form does not change. */
  kept: readonly (readonly [string, string])[];
  /** Values that are not written, by name. Empty ones never are. */
  usual?: Readonly<Record<string, string | number>>;
  mode: "push" | "replace";
  className: string;
  children: ReactNode;
}) {
  const router = useRouter();

  function apply(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const query: Record<string, string[]> = {};
    for (const [name, value] of new FormData(form)) {
      if (typeof value !== "string" || value === "") continue;
      const known = usual[name];
      if (value === known || (typeof known === "number" && Number(value) === known)) continue;
      (query[name] ??= []).push(value);
    }
    form.closest("details[data-menu]")?.removeAttribute("open");
    router[mode](buildHref(action, query), { scroll: false });
  }

  return (
    <form action={withBasePath(action)} className={className} onSubmit={apply}>
      {kept.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
