import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { IS_LONG_RUN } from "./lib/testing/plan-runs.ts";

const SCORING = "lib/core/scoring/**/*.test.ts";
const TESTS = ["{lib,bench,packaging}/**/*.test.ts", "components/**/*.test.{ts,tsx}", "app/**/*.test.ts"];
/** Tests that put something else in the place of a module, or change the environment of their process. */
const ALONE = "**/*.alone.test.{ts,tsx}";
/** Tests that use components as people do, in a document without layout. */
const DOM = "components/**/*.dom.test.tsx";

/** As Next does for browsers, puts calls of the server in the place of server actions; tests answer them. */
const SERVER_ACTIONS: Plugin = {
  name: "server-actions",
  enforce: "pre",
  transform(code) {
    if (!code.startsWith('"use server";')) return null;
    const names = Array.from(code.matchAll(/^export async function (\w+)/gmu), ([, name = ""]) => name);
    const calls = names.map((name) => `export const ${name} = (...args) => callServer("${name}", args);`);
    return ['import { callServer } from "@/components/testing/server-actions.fixture";', ...calls].join("\n");
  },
};

export default defineConfig({
  resolve: {
    alias: {
      "@": fileURLToPath(new URL(".", import.meta.url)),
      // `server-only` throws outside React's server condition; unit tests are that server.
      "server-only": fileURLToPath(new URL("./node_modules/server-only/empty.js", import.meta.url)),
    },
  },
  test: {
    environment: "node",
    // Vitest leaves one processor to itself, which on a machine of two is half of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: ["./lib/testing/scratch.fixture.ts", "./lib/store/database/postgres-server.fixture.ts"],
    // Loading the same modules for each file again is a third of a run.
    projects: [
      { extends: true, test: { name: "scoring", isolate: false, include: [SCORING] } },
      {
        extends: true,
        test: { name: "together", isolate: false, include: TESTS, exclude: [SCORING, ALONE, DOM] },
      },
      {
        extends: true,
        plugins: [SERVER_ACTIONS],
        resolve: {
          alias: {
            "next/link": fileURLToPath(new URL("./components/testing/link.fixture.tsx", import.meta.url)),
          },
        },
        test: {
          name: "dom",
          environment: "happy-dom",
          isolate: false,
          include: [DOM],
          setupFiles: ["./components/testing/dom-setup.fixture.ts"],
        },
      },
      { extends: true, test: { name: "alone", include: [ALONE] } },
    ],
    // Generous, since machines that build and test at once stall; hours for the long campaigns of lib/testing/plan-runs.ts.
    testTimeout: IS_LONG_RUN ? 7_200_000 : 240_000,
    hookTimeout: 240_000,
    coverage: {
      provider: "v8",
      reportsDirectory: ".assay/coverage",
      reporter: [["text", { skipFull: true }]],
      include: ["lib/core/scoring/**/*.ts"],
      exclude: ["**/*.test.ts"],
      thresholds: { branches: 100 },
    },
  },
});
