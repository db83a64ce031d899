import regexp from "eslint-plugin-regexp";
import nextVitals from "eslint-config-next/core-web-vitals";
import { defineConfig, globalIgnores } from "eslint/config";

// React's, Next's and accessibility's rules, by the plugins of their makers, and that no pattern takes more time with the square of
// what somebody wrote into a folder. All others are in .oxlintrc.json.
export default defineConfig([
  globalIgnores([".next*/**", "dist/**", ".assay/**", "next-env.d.ts"]),
  ...nextVitals,
  {
    files: ["**/*.{ts,tsx,mjs}"],
    rules: { "import/no-anonymous-default-export": "off" },
  },
  // No hooks there, whatever begins with "use".
  { files: ["lib/**"], ignores: ["lib/queries/**"], rules: { "react-hooks/rules-of-hooks": "off" } },
  {
    files: ["**/*.{ts,tsx}"],
    ignores: ["**/*.{test,fixture}.*"],
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
    },
  },
]);
