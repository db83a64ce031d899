import { defineConfig, devices } from "@playwright/test";

import { IS_LONG_RUN } from "./lib/testing/plan-runs";

const executablePath = process.env["ASSAY_CHROMIUM"] ?? "/usr/bin/chromium";

// A Chromium with windows draws two pages for each address bar, which is half of a test's processor time. Its last list of disabled
// features counts, so the rest is what Playwright disables.
const DISABLED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
  ...["AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"],
  ...["DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"],
  ...["MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"],
  ...["ThirdPartyStoragePartitioning"],
];

export default defineConfig({
  testDir: "e2e",
  outputDir: ".assay/test-results",
  globalSetup: "./e2e/fixtures/scratch.ts",
  fullyParallel: false,
  forbidOnly: process.env["CI"] !== undefined,
  retries: 0,
  // What a shorter test asserts of fewer pages, sizes or ways: in npm run test:long, or by ASSAY_TEST_LONG=1.
  grepInvert: IS_LONG_RUN ? [] : / @long$/u,
  workers: 2,
  timeout: IS_LONG_RUN ? 7_200_000 : 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    // Recording every test takes a tenth of the run's processor time; `--trace on` records one that failed.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath,
      args: ["--no-sandbox", `--disable-features=${DISABLED_FEATURES.join(",")}`],
    },
  },
});
