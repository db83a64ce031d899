"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import type { SubmitEvent } from "react";

import { Button, ButtonLink } from "@/components/ui/button";
import { withBasePath } from "@/lib/core/domain/base-path";
import { buildHref } from "@/lib/pages/address/href";
import type { RubricBench } from "@/lib/pages/job/rubric";

/** A plain form without scripts; with them the URL holds only what differs from the defaults. */
export function RubricForm({
  rollup,
  usualRollup,
  fields,
  isChanged,
  action,
  kept,
  usualHref,
}: Pick<RubricBench, "rollup" | "usualRollup" | "isChanged"> & {
  fields: readonly (RubricBench["fields"][number] & { readonly param: string })[];
  action: Route;
  kept: readonly (readonly [string, string])[];
  usualHref: Route;
}) {
  const router = useRouter();

  function apply(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const usual = new Map<string, string>([
      ["rollup", usualRollup],
      ...fields.map((field) => [field.param, String(field.usual)] as const),
    ]);
    const query: Record<string, string[]> = {};
    for (const [name, value] of new FormData(event.currentTarget)) {
      if (typeof value !== "string" || value === "") continue;
      const known = usual.get(name);
      if (known !== undefined && (value === known || Number(value) === Number(known))) continue;
      (query[name] ??= []).push(value);
    }
    router.push(buildHref(action, query), { scroll: false });
  }

  return (
    <form action={withBasePath(action)} className="rubric-form" onSubmit={apply}>
      {kept.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <fieldset className="rubric-rollup">
        <legend className="caption">Strategy</legend>
        <label className="row">
          <input
            type="radio"
            name="rollup"
            value="weighted_mean"
            defaultChecked={rollup === "weighted_mean"}
          />
          Weighted mean
        </label>
        <label className="row">
          <input type="radio" name="rollup" value="min" defaultChecked={rollup === "min"} />
          Minimum, whatever the weights
        </label>
      </fieldset>
      <fieldset className="rubric-weights">
        <legend className="caption">Weights</legend>
        {fields.map(({ name, param, weight }) => (
          <label key={name}>
            <span className="cut" title={name}>
              {name}
            </span>
            <span className="field">
              <input name={param} type="number" step="any" defaultValue={weight} />
            </span>
          </label>
        ))}
      </fieldset>
      <div className="rubric-apply">
        <Button type="submit">Apply</Button>
        {isChanged ? <ButtonLink href={usualHref}>Reset</ButtonLink> : null}
      </div>
    </form>
  );
}
