import type { Route } from "next";

import { Button, ButtonLink } from "@/components/ui/button";
import { type Rollup, ROLLUPS, type RubricFit } from "@/lib/core/domain/rubric";
import { formatCount, formatReward } from "@/lib/core/format/number";
import { listValues } from "@/lib/pages/address/address";
import { nameWeight, NO_WEIGHTS } from "@/lib/pages/address/weights";
import type { RubricBench } from "@/lib/pages/job/rubric";

import { AddressForm } from "../address-form";

import "./rubric.css";

export const FIT_WORDS: Readonly<Record<RubricFit, string>> = {
  other: "does not follow",
  weighted_mean: "is the weighted mean",
  weighted_mean_rounded: "is the weighted mean, rounded to 2 decimals",
  min: "is the minimum",
  min_rounded: "is the minimum, rounded to 2 decimals",
  no_share: "not checked: a dimension has no share",
  no_reward: "not checked: no reward",
  no_dimensions: "not checked: no dimensions",
};

export const ROLLUP_WORDS: Readonly<Record<Rollup, string>> = {
  weighted_mean: "weighted mean",
  min: "minimum",
};

/** Formats a signed change with four decimals, as rubrics round; never minus zero. */
export function formatChange(change: number): string {
  const shown = formatReward(Math.round(change * 10_000) / 10_000 + 0, 4);
  return change > 0 ? `+${shown}` : shown;
}

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
      <div className="row">
        <Button type="submit">Apply</Button>
        {isChanged ? <ButtonLink href={usualHref}>Reset</ButtonLink> : null}
      </div>
    </AddressForm>
  );
}
