import { globSync, readFileSync } from "node:fs";

import regexp from "eslint-plugin-regexp";
import nextVitals from "eslint-config-next/core-web-vitals";
import { defineConfig, globalIgnores } from "eslint/config";

/** Where React is. */
const PAGES = ["app/**", "components/**", "lib/queries/**"];

/** What is drawn again in a browser: by its own word, or since it has state. */
const DRAWN_AGAIN = globSync("{app,components}/**/*.{ts,tsx}")
  .filter((file) => /^"use client"|\buse[A-Z]\w*\(/mu.test(readFileSync(file, "utf8")))
  .map((file) => file.replaceAll(/[[\]()]/gu, "\\$&"));

/** The rules of React's compiler, which are about drawing again: most of the time of a run, over pages that a server draws once. */
const COMPILER_RULES = nextVitals
  .flatMap(({ rules }) => Object.keys(rules ?? {}))
  .filter((name) => /^react-hooks\/(?!rules-of-hooks|exhaustive-deps)/u.test(name));

// React's, Next's and accessibility's rules, by the plugins of their makers, and that no pattern takes time with the square of what
// somebody wrote into a folder. All others are in .oxlintrc.json.
export default defineConfig([
  globalIgnores([".next*/**", "dist/**", ".assay/**", "next-env.d.ts", "**/*.{test,fixture}.*"]),
  ...nextVitals.map((config) =>
    config.rules === undefined || config.name === "next/typescript" ? config : { ...config, files: PAGES },
  ),
  {
    files: PAGES,
    ignores: DRAWN_AGAIN,
    rules: {
      ...Object.fromEntries(COMPILER_RULES.map((name) => [name, "off"])),
      "react/no-unstable-nested-components": ["error", { allowAsProps: true }],
    },
  },
  {
    files: ["**/*.{ts,tsx,mjs}"],
    rules: { "import/no-anonymous-default-export": "off" },
  },
  {
    files: ["**/*.{ts,tsx}"],
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
    },
  },
]);
