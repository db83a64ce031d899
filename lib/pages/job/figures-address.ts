import { FIGURE_KINDS, VERDICTS } from "@/lib/core/domain/verification";

import { createAddress } from "../address/address";
import { name, names, someOf, text } from "../address/values";
import { FRAME, FRAME_NAMES, type JobTabParams } from "./frame-address";

export const figuresAddress = createAddress(
  {
    ...FRAME,
    text,
    groups: names,
    verdicts: someOf(VERDICTS),
    kinds: someOf(FIGURE_KINDS),
    /** Path of a figure. */
    figure: name,
  },
  { ...FRAME_NAMES, text: "q", groups: "group", verdicts: "verdict", kinds: "kind" },
);

export type FiguresParams = JobTabParams<"verification", typeof figuresAddress>;
