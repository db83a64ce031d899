import type { Route } from "next";

import { ButtonLink } from "@/components/ui/button";
import { listValues } from "@/lib/addresses/address";
import { nameWeight, NO_WEIGHTS } from "@/lib/addresses/weights";
import type { RubricBench } from "@/lib/queries/job/rubric";

import { RubricForm } from "./rubric-form";

import "./rubric.css";

/** What an address holds where no other rubric is tried. */
export const USUAL_RUBRIC = { rollup: null, weights: NO_WEIGHTS } as const;

/** The form of the rubric that an address tries, with the way back to the usual one. */
export function TriedRubric({
  tried: { rollup, usualRollup, fields, isChanged },
  action,
  usualHref,
}: {
  tried: Pick<RubricBench, "rollup" | "usualRollup" | "fields" | "isChanged">;
  action: Route;
  /** The same address with {@link USUAL_RUBRIC}. */
  usualHref: Route;
}) {
  return (
    <RubricForm
      key={JSON.stringify([rollup, fields.map(({ weight }) => weight)])}
      action={action}
      kept={listValues(usualHref)}
      rollup={rollup}
      usualRollup={usualRollup}
      fields={fields.map(({ name, weight, usual }) => ({
        label: name,
        name: nameWeight(name),
        value: weight,
        usual,
      }))}
    >
      {isChanged ? <ButtonLink href={usualHref}>Reset</ButtonLink> : null}
    </RubricForm>
  );
}
