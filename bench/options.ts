import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

/** Parts of the harness in the order they run. */
const PARTS = [
  "index",
  "start",
  "pages",
  "load",
  "flood",
  "browser",
  "writes",
  "stats",
  "hostile",
  "harbor",
] as const;

/** One of {@link PARTS}. */
export type PartName = (typeof PARTS)[number];

/** What one call of the harness measures. */
export interface BenchOptions {
  /** Trials of each job folder. */
  readonly sizes: readonly number[];
  /** Repetitions of every measurement. */
  readonly runs: number;
  /** Requests of one series at one connection; three times as many at ten. */
  readonly requests: number;
  readonly parts: readonly PartName[];
  /** Whether the page cache may be dropped, which slows everything else on the machine down. */
  readonly dropsCache: boolean;
  readonly builds: boolean;
  /** Path of the results without extension. */
  readonly out: string;
}

export const USAGE = `usage: npm run bench -- [options]

  --sizes N,N      trials of the job folders (1000,10000,100000; 1000000 needs 32 GB)
  --runs N         repetitions of every measurement (3)
  --only A,B       parts to run: ${PARTS.join(", ")}
  --harbor         also install and measure harbor view (Python 3.12 or newer)
  --requests N     requests of one series at one connection (60)
  --warm-only      never drop the machine's page cache
  --no-build       measure dist/ and .next/ as they are
  --out FILE       where to write FILE.md and FILE.json (.assay/bench/results-<date>)
`;

function parseWhole(text: string, name: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name} takes whole numbers from 1, not "${text}".`);
  return Number(text);
}

function parseParts(only: string | undefined, withHarbor: boolean): PartName[] {
  if (only === undefined) return PARTS.filter((part) => part !== "harbor" || withHarbor);
  return only.split(",").map((name) => {
    const part = PARTS.find((one) => one === name);
    if (part === undefined) throw new Error(`There is no part "${name}"; there are ${PARTS.join(", ")}.`);
    return part;
  });
}

/**
 * Reads the command line; null asks for the usage.
 *
 * @throws Error with a sentence for the user
 */
export function parseOptions(args: readonly string[], folder: string): BenchOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string", default: "1000,10000,100000" },
      runs: { type: "string", default: "3" },
      requests: { type: "string", default: "60" },
      only: { type: "string" },
      harbor: { type: "boolean", default: false },
      "warm-only": { type: "boolean", default: false },
      "no-build": { type: "boolean", default: false },
      out: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return null;
  const parts = parseParts(values.only, values.harbor);
  const stamp = new Date().toISOString().slice(0, 16).replaceAll(":", "");
  return {
    sizes: values.sizes.split(",").map((text) => parseWhole(text, "--sizes")),
    runs: parseWhole(values.runs, "--runs"),
    requests: parseWhole(values.requests, "--requests"),
    parts: values.harbor && !parts.includes("harbor") ? [...parts, "harbor"] : parts,
    dropsCache: !values["warm-only"],
    builds: !values["no-build"],
    out:
      values.out === undefined
        ? join(folder, `results-${stamp}`)
        : resolve(process.env["INIT_CWD"] ?? ".", values.out.replace(/\.(md|json)$/, "")),
  };
}
