import type { Route } from "next";

import { formatCount } from "@/lib/core/format/number";
import { listValues } from "@/lib/pages/address/address";
import { nameWeight, NO_WEIGHTS } from "@/lib/pages/address/weights";
import type { RubricBench } from "@/lib/pages/job/rubric";

import { RubricForm } from "./rubric-form";

import "./rubric.css";

export const USUAL_RUBRIC = { rollup: null, weights: NO_WEIGHTS } as const;

export function describeWeights({
  areStated,
  fields,
  weights,
}: Pick<RubricBench, "areStated" | "fields" | "weights">): string {
  const source = areStated ? "Weights from the details." : "The details give no weights, so all start at 1.";
  if (fields.length === weights.length) return source;
  return `${source} ${formatCount(fields.length)} of ${formatCount(weights.length)} dimensions are listed; the others keep their weights.`;
}

export function TriedRubric({
  tried: { rollup, usualRollup, fields, isChanged },
  ...hrefs
}: {
  tried: Pick<RubricBench, "rollup" | "usualRollup" | "fields" | "isChanged">;
  action: Route;
  usualHref: Route;
}) {
  return (
    <RubricForm
      key={JSON.stringify([rollup, fields.map(({ weight }) => weight)])}
      rollup={rollup}
      usualRollup={usualRollup}
      fields={fields.map((field) => ({ ...field, param: nameWeight(field.name) }))}
      isChanged={isChanged}
      kept={listValues(hrefs.usualHref)}
      {...hrefs}
    />
  );
}
