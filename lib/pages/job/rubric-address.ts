import { parseAsStringLiteral } from "nuqs/server";

import { ROLLUPS, RUBRIC_FITS, RUBRIC_SORTS } from "@/lib/core/domain/rubric";

import { createListAddress, type SearchValues } from "../address/address";
import type { Query } from "../address/href";
import { direction, name, names, oneOf, someOf } from "../address/values";
import { readWeights, type Weights, writeWeights } from "../address/weights";
import { FRAME, FRAME_NAMES, type JobTabParams } from "./frame-address";

const address = createListAddress(
  {
    ...FRAME,
    groups: names,
    family: name,
    fits: someOf(RUBRIC_FITS),
    /** Rubric strategy to try; null for the one behind most stored rewards. */
    rollup: parseAsStringLiteral(ROLLUPS),
    sort: oneOf(RUBRIC_SORTS),
    descending: direction,
  },
  { ...FRAME_NAMES, groups: "group", fits: "fit", descending: "dir" },
  { task: { ascends: true } },
);

/** Weights of dimensions have names of their own. */
export const rubricAddress = {
  ...address,
  read: (search: SearchValues) => ({ ...address.read(search), weights: readWeights(search) }),
  href: (
    path: string,
    { weights, ...values }: Partial<ReturnType<typeof address.read>> & { readonly weights?: Weights },
    others: Query = {},
  ) => address.href(path, values, { ...others, ...writeWeights(weights) }),
};

export type RubricParams = JobTabParams<"rubric", typeof rubricAddress>;
