import nextVitals from "eslint-config-next/core-web-vitals";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

const maxLines = (max) => ["error", { max, skipBlankLines: true, skipComments: true }];

export default defineConfig([
  globalIgnores([".next*/**", "dist/**", ".assay/**", "next-env.d.ts"]),
  ...nextVitals,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      // Taking a key out of an object by naming it is the idiom for leaving it out.
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      // Event handlers and server actions are async by design of React 19.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      complexity: ["error", 14],
      "max-lines": maxLines(300),
      "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: ["lib/scoring/**/*.ts"], rules: { "max-lines": maxLines(200), complexity: ["error", 24] } },
  { files: ["app/**/page.tsx"], rules: { "max-lines": maxLines(150) } },
  {
    files: ["**/*.test.{ts,tsx}", "e2e/**/*.ts"],
    rules: { "max-lines": maxLines(500), "max-lines-per-function": "off" },
  },
  {
    files: ["**/*.{ts,tsx,mjs}"],
    rules: { "import/no-anonymous-default-export": "off" },
  },
]);
