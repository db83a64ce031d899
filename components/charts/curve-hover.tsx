"use client";

import dynamic from "next/dynamic";

/** The layer over a chart that answers the pointer and the arrow keys; nothing of it is needed to read the chart. */
export const CurveHover = dynamic(async () => (await import("./curve-values")).CurveValues, { ssr: false });
