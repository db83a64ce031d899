"use client";

import dynamic from "next/dynamic";

/** Loaded lazily: the chart is readable without it. */
export const CurveHover = dynamic(async () => (await import("./curve-values")).CurveValues, { ssr: false });
