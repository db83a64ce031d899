"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import type { SubmitEvent } from "react";

import { Button } from "@/components/ui/button";
import { withBasePath } from "@/lib/core/domain/base-path";
import { buildHref } from "@/lib/pages/address/href";

export interface RangeField {
  readonly label: string;
  readonly minName: string;
  readonly maxName: string;
  readonly min: number | null;
  readonly max: number | null;
}

/** A plain form without scripts; with them empty fields are left out of the URL. */
export function JobRangeForm({
  action,
  kept,
  ranges,
}: {
  action: Route;
  kept: readonly (readonly [string, string])[];
  ranges: readonly RangeField[];
}) {
  const router = useRouter();

  function apply(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const query: Record<string, string[]> = {};
    for (const [name, value] of new FormData(form)) {
      if (typeof value === "string" && value !== "") (query[name] ??= []).push(value);
    }
    form.closest("details")?.removeAttribute("open");
    router.replace(buildHref(action, query), { scroll: false });
  }

  return (
    <form action={withBasePath(action)} className="job-ranges" onSubmit={apply}>
      {kept.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {ranges.map((range) => (
        <RangeInputs key={range.label} range={range} />
      ))}
      <Button type="submit">Apply</Button>
    </form>
  );
}

function RangeInputs({ range: { label, minName, maxName, min, max } }: { range: RangeField }) {
  return (
    <>
      <span>{label}</span>
      <label className="field">
        <span className="screen-reader">{label} from</span>
        <input name={minName} type="number" step="any" placeholder="from" defaultValue={min ?? ""} />
      </label>
      <label className="field">
        <span className="screen-reader">{label} to</span>
        <input name={maxName} type="number" step="any" placeholder="to" defaultValue={max ?? ""} />
      </label>
    </>
  );
}
