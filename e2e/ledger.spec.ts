import { expect, test } from "./fixtures/app";

// A ledger of aec-bench: its records are trials, and its judgments are shown as recorded in files.

const JOB = "/jobs/voltage-drop-panel";

test("a ledger is a job whose records are trials, a broken one among them", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "voltage-drop-panel" }).click();
  const main = page.getByRole("main");
  await expect(main).toContainText("ledger of aec-bench");
  await expect(main).toContainText("not recorded");
  await main.getByRole("link", { name: /^Score check/ }).click();
  await expect(main).toContainText("Trials without an evaluation are excluded");
  await page.goto(`${JOB}?tab=trials`);
  await expect(main).toContainText("6 judgments of 2 trials are recorded in files.");
  await expect(main.getByRole("row", { name: /lighting-meridian-4/ })).toContainText("unreadable");
  await main.getByRole("link", { name: "6 judgments" }).click();
  await expect(page).toHaveURL(/\/annotations\/recorded\?job=voltage-drop-panel$/);
  await expect(main.getByRole("row", { name: /s\.arakawa/ })).toContainText("adjudicated");
  await main
    .getByRole("navigation", { name: "Parts of the review" })
    .getByRole("link", { name: "Judgments" })
    .click();
  await expect(main).toContainText("No trials reviewed yet");
});

test("only a trial's own files are opened", async ({ page }) => {
  const files = "ledger/voltage-drop-panel";
  const open = (trial: string, file: string) =>
    page.request.get(`/api/artifacts/voltage-drop-panel/${trial}/${file}`);
  expect((await open("submain-halyard-1", `${files}/_files/submain-halyard-1/output.md`)).status()).toBe(200);
  expect((await open("submain-halyard-1", `${files}/submain-halyard-1.json`)).status()).toBe(200);
  expect((await open("submain-halyard-1", `${files}/submain-halyard-2.json`)).status()).toBe(404);
  expect((await open("submain-halyard-1", "README.txt")).status()).toBe(404);
});
