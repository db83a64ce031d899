import type { Route } from "next";

import { Button, ButtonLink } from "@/components/ui/button";
import { ROLLUPS } from "@/lib/core/domain/rubric";
import { formatCount } from "@/lib/core/format/number";
import { listValues } from "@/lib/pages/address/address";
import { nameWeight, NO_WEIGHTS } from "@/lib/pages/address/weights";
import type { RubricBench } from "@/lib/pages/job/rubric";

import { AddressForm } from "../address-form";

import "./rubric.css";

const STRATEGIES = { weighted_mean: "Weighted mean", min: "Minimum (ignores weights)" } as const;

export const USUAL_RUBRIC = { rollup: null, weights: NO_WEIGHTS } as const;

export function describeWeights({
  areStated,
  fields,
  weights,
}: Pick<RubricBench, "areStated" | "fields" | "weights">): string {
  const source = areStated ? "Weights from the details." : "No weights recorded; starting at 1.";
  if (fields.length === weights.length) return source;
  return `${source} ${formatCount(fields.length)} of ${formatCount(weights.length)} dimensions are listed; the others keep their weights.`;
}

export function TriedRubric({
  tried: { rollup, usualRollup, fields, isChanged },
  action,
  usualHref,
}: {
  tried: Pick<RubricBench, "rollup" | "usualRollup" | "fields" | "isChanged">;
  action: Route;
  usualHref: Route;
}) {
  return (
    <AddressForm
      key={JSON.stringify([rollup, fields.map(({ weight }) => weight)])}
      action={action}
      kept={listValues(usualHref)}
      usual={{
        rollup: usualRollup,
        ...Object.fromEntries(fields.map(({ name, usual }) => [nameWeight(name), usual])),
      }}
      mode="push"
      className="rubric-form"
    >
      <fieldset className="rubric-rollup">
        <legend className="caption">Strategy</legend>
        {ROLLUPS.map((one) => (
          <label key={one} className="row">
            <input type="radio" name="rollup" value={one} defaultChecked={rollup === one} />
            {STRATEGIES[one]}
          </label>
        ))}
      </fieldset>
      <fieldset className="rubric-weights">
        <legend className="caption">Weights</legend>
        {fields.map(({ name, weight }) => (
          <label key={name}>
            <span className="cut" title={name}>
              {name}
            </span>
            <span className="field">
              <input name={nameWeight(name)} type="number" step="any" defaultValue={weight} />
            </span>
          </label>
        ))}
      </fieldset>
      <div className="rubric-apply">
        <Button type="submit">Apply</Button>
        {isChanged ? <ButtonLink href={usualHref}>Reset</ButtonLink> : null}
      </div>
    </AddressForm>
  );
}
