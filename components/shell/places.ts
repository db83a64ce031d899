import type { Crumb } from "./page-frame";

/** The places of the rail, which are also the first crumb of each page. */
export const RUNS = { label: "Runs", href: "/" } as const satisfies Crumb;
export const BENCHMARKS = { label: "Benchmarks", href: "/datasets" } as const satisfies Crumb;
export const COMPARE = { label: "Compare", href: "/compare" } as const satisfies Crumb;
export const FAILURES = { label: "Failures", href: "/errors" } as const satisfies Crumb;
export const REVIEW = { label: "Review", href: "/annotations/queues" } as const satisfies Crumb;
