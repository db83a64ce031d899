import nextVitals from "eslint-config-next/core-web-vitals";
import { defineConfig, globalIgnores } from "eslint/config";

// React's, Next's and accessibility's rules, by the plugins of their makers. All others are in .oxlintrc.json.
export default defineConfig([
  globalIgnores([".next*/**", "dist/**", ".assay/**", "next-env.d.ts"]),
  ...nextVitals,
  {
    files: ["**/*.{ts,tsx,mjs}"],
    rules: { "import/no-anonymous-default-export": "off" },
  },
]);
