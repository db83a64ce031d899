import { BENCHMARK_SCANNERS } from "./benchmark";
import { CONDUCT_SCANNERS } from "./conduct";
import { ENVIRONMENT_SCANNERS } from "./environment";

export const BUNDLED_SCANNERS = Object.entries({
  ...BENCHMARK_SCANNERS,
  ...CONDUCT_SCANNERS,
  ...ENVIRONMENT_SCANNERS,
}).map(([file, text]) => ({ file, text: text.trimStart(), isOwn: false }));
