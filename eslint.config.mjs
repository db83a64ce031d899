import regexp from "eslint-plugin-regexp";
import nextVitals from "eslint-config-next/core-web-vitals";
import { defineConfig, globalIgnores } from "eslint/config";

/** Where React is. */
const PAGES = ["app/**", "components/**", "lib/queries/**"];

// React's, Next's and accessibility's rules, by the plugins of their makers, and that no pattern takes time with the square of what
// somebody wrote into a folder. All others are in .oxlintrc.json.
export default defineConfig([
  globalIgnores([".next*/**", "dist/**", ".assay/**", "next-env.d.ts", "**/*.{test,fixture}.*"]),
  ...nextVitals.map((config) =>
    config.rules === undefined || config.name === "next/typescript" ? config : { ...config, files: PAGES },
  ),
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
