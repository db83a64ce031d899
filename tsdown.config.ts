import { defineConfig } from "tsdown";

import { toAscii } from "./lib/server/ascii.ts";
import { noteBundled } from "./packaging/bundled.ts";

const shared = {
  format: "esm",
  platform: "node",
  target: "node22",
  outDir: "dist",
  fixedExtension: false,
  clean: false,
  hash: false,
  logLevel: "warn",
  report: false,
} as const;

/** Their hundreds of files take ten times as long to load as what is used of them, in the program and in every process. */
const BUNDLED = {
  alwaysBundle: [
    "kysely",
    /^kysely\//,
    "zod",
    /^@stdlib\//,
    "lowlight",
    "devlop",
    /^highlight\.js/,
    "saxes",
    "smol-toml",
    /^xmlchars\//,
  ],
  onlyBundle: [
    "kysely",
    "zod",
    /^@stdlib\//,
    "lowlight",
    "devlop",
    "highlight.js",
    "saxes",
    "smol-toml",
    "xmlchars",
  ],
};

/** One file of stdlib says with `debug` how it went on. Nobody asks, and it would bring the terminal into a pure bundle. */
const SILENT = {
  name: "silent",
  resolveId: { filter: { id: /^debug$/ }, handler: () => "\0silent.cjs" },
  load: { filter: { id: /^\0silent\.cjs$/ }, handler: () => "module.exports = () => () => undefined;" },
};

/** Sheets of components that the program draws; a report has one of its own. */
const SHEETLESS = {
  name: "sheetless",
  resolveId: { filter: { id: /\.css$/ }, handler: () => "\0sheet.js" },
  load: { filter: { id: /^\0sheet\.js$/ }, handler: () => "" },
};

/** The server keeps the whole text of the program in memory. */
const ASCII = {
  name: "ascii",
  generateBundle: (_: unknown, files: Record<string, { code?: string }>) => {
    for (const file of Object.values(files)) if (file.code !== undefined) file.code = toAscii(file.code);
  },
};

/** For the third-party notices. */
const NOTED = {
  name: "noted",
  generateBundle: (_: unknown, files: Record<string, { moduleIds?: string[] }>) => {
    for (const [name, { moduleIds = [] }] of Object.entries(files))
      noteBundled(import.meta.dirname, name, moduleIds);
  },
};

export default defineConfig([
  {
    ...shared,
    entry: { scoring: "lib/core/scoring/index.ts" },
    platform: "neutral",
    plugins: [NOTED],
    dts: true,
  },
  {
    ...shared,
    name: "evaluation",
    entry: { evaluation: "lib/core/evaluation/index.ts" },
    platform: "neutral",
    plugins: [NOTED],
    dts: true,
  },
  // With its distributions inside, so that it imports nothing.
  {
    ...shared,
    name: "stats",
    entry: { stats: "lib/core/stats/index.ts" },
    platform: "neutral",
    deps: { alwaysBundle: [/^@stdlib\//], onlyBundle: [/^@stdlib\//] },
    plugins: [SILENT, NOTED],
    inputOptions: { resolve: { mainFields: ["main"] } },
    outputOptions: { comments: { jsdoc: false } },
    dts: true,
  },
  // One file, so that its parts cannot be of different builds.
  {
    ...shared,
    entry: { cli: "lib/cli/main.ts" },
    deps: BUNDLED,
    plugins: [SILENT, SHEETLESS, ASCII, NOTED],
    dts: false,
    outputOptions: { codeSplitting: false, comments: { jsdoc: false } },
  },
  // What the index's processes run; the pages' server and the command line tool start them from this file.
  {
    ...shared,
    entry: { indexing: "lib/store/indexer/main.ts" },
    deps: BUNDLED,
    plugins: [SILENT, ASCII, NOTED],
    dts: false,
    outputOptions: { codeSplitting: false, comments: { jsdoc: false } },
  },
  // What reads trials for pages.
  {
    ...shared,
    entry: { "trial-reading": "lib/read/trial-reading/main.ts" },
    deps: BUNDLED,
    plugins: [SILENT, ASCII, NOTED],
    dts: false,
    outputOptions: { codeSplitting: false, comments: { jsdoc: false } },
  },
  // What talks to buckets. The SDK is not bundled: it loads parts of itself by what the credentials are.
  {
    ...shared,
    entry: { buckets: "lib/read/buckets/main.ts" },
    deps: BUNDLED,
    plugins: [NOTED],
    dts: false,
    outputOptions: { codeSplitting: false, comments: { jsdoc: false } },
  },
  // Only for this checkout: package.json does not publish it.
  { ...shared, entry: { "sample-jobs": "lib/testing/main.ts" }, dts: false },
]);
