import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { act, draftOf } from "./fixtures/actions";
import { expect, test, withFewJobs } from "./fixtures/app";
import { readPage } from "./fixtures/read-page";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";
const CODEBOOK = "/annotations/codebook";

test("judgments follow a category that is renamed, split, restored and merged, on every page", async ({
  request,
}) => {
  await withFewJobs(async ({ url, jobsFolder, runCli }) => {
    const [trial] = readFailedTrials(jobsFolder, JOB);
    const judged = draftOf(JOB, trial?.name ?? "", { reviewerId: "Ada", judgment: "fail", notes: "No." });
    const draft = { ...judged.draft, categories: ["wrong <b>tool</b>"] };
    expect(await act(request, url, "saveReview", { ...judged, draft })).toContain('"saved"');
    const read = async (address: string) => (await request.get(url + address)).text();
    const readWords = async (address: string) => (await readPage(request, url + address)).words;
    const list = await read(`${CODEBOOK}?q=wrong`);
    expect(list).toContain("wrong &lt;b&gt;tool&lt;/b&gt;");
    expect(list).not.toContain("<b>tool");
    const id = /[?&;]open=([\w-]{36})/u.exec(list)?.[1] ?? "none";
    let baseVersion = 1;
    const change = async (form: object) => {
      const said = await act(request, url, "changeCodebookAction", { form, baseVersion, author: "Ada" });
      expect(said).toContain('"status":"done"');
      baseVersion += 1;
    };
    const texts = { definition: "", example: "", counterExample: "", colour: null, parent: "" };
    await change({ kind: "edit", id, text: { ...texts, label: "Wrong tool", contexts: ["fail"] } });
    expect(await readWords(`${CODEBOOK}?open=${id}`)).toContain("Version 2, Ada");
    const parts = ["Wrong program", "Wrong option"].map((label) => ({ label, definition: "" }));
    await change({ kind: "split", id, parts });
    expect(await readWords(CODEBOOK)).toContain("was split: 1 trial to choose again.");
    expect(await readWords("/annotations?category=Wrong+tool")).toContain("Wrong tool (split, choose again)");
    await change({ kind: "restore", id });
    expect(await readWords(CODEBOOK)).not.toContain("to choose again");
    await change({ kind: "merge", id, into: "misread TASK" });
    // A URL with the category's old name still finds its judgments.
    expect(await read("/annotations?category=wrong+%3Cb%3Etool%3C%2Fb%3E")).toContain("Misread task");
    const history = await readWords(`${CODEBOOK}?tab=history`);
    for (const words of [
      "Renamed “wrong",
      "Split “Wrong tool”",
      "Restored “Wrong tool”",
      "Merged “Wrong tool” into “Misread task”",
    ])
      expect(history).toContain(words);
    expect(await read(`${CODEBOOK}/export`)).toBe(runCli("codebook", "export").stdout);
  });
});

test("10,000 categories: a file is compared first, imported whole, and the page stays small @long", async ({
  page,
}) => {
  await withFewJobs(
    async ({ url, runCli, dataFolder }) => {
      const answer = await page.request.get(`${url}${CODEBOOK}`);
      expect((await answer.body()).length).toBeLessThan(400_000);
      await page.goto(`${url}${CODEBOOK}?q=number+9985`);
      await expect(page.getByRole("link", { name: "Number 9985" })).toBeVisible();
      await page.goto(`${url}${CODEBOOK}?tab=file`);
      await page.getByPlaceholder("Your name").fill("Ada");
      const readExport = async () => (await page.request.get(`${url}${CODEBOOK}/export`)).text();
      const choose = (content: string) =>
        page.getByLabel("Codebook file").setInputFiles({
          name: "codebook.json",
          mimeType: "application/json",
          buffer: Buffer.from(content),
        });
      const result = page.getByRole("status").filter({ hasText: /import|Dry run|JSON|page takes/i });
      await choose(await readExport());
      await expect(result).toContainText("assay codebook import FILE --dry-run");
      await choose("{ not JSON");
      await expect(result).toContainText("line 1");
      const one = (values: object) => JSON.stringify({ schema: "assay.codebook/1", categories: [values] });
      await choose(one({ label: "<img src=x>", contexts: [] }));
      await expect(result).toContainText("entry 1 (<img src=x>)");
      await expect(page.getByRole("button", { name: "Import" })).toHaveCount(0);
      // A missing name is requested without choosing the file again.
      await page.getByPlaceholder("Your name").fill("");
      await choose(one({ label: "number 1", definition: "The first.", contexts: ["fail"] }));
      await expect(page.getByText("Enter your name (shown with the change)")).toBeVisible();
      await expect(page.getByText("codebook.json", { exact: true })).toBeVisible();
      await page.getByPlaceholder("Your name").fill("Ada");
      await page.getByRole("button", { name: "Check again" }).press("Enter");
      await expect(result).toContainText("Dry run. 0 added, 1 changed, 0 unchanged");
      await page.getByRole("button", { name: "Import" }).click();
      await expect(result).toContainText("Imported as version 2.");
      writeFileSync(join(dataFolder, "after.json"), await readExport());
      expect(runCli("codebook", "import", join(dataFolder, "after.json")).stdout).toContain(
        "10000 unchanged",
      );
    },
    ({ dataFolder, runCli }) => {
      const categories = Array.from({ length: 9_986 }, (_, at) => ({
        id: `n${at}`,
        label: `Number ${at}`,
        definition: "Its definition. ".repeat(20),
        parent: at % 3 === 0 ? null : `n${at - 1}`,
        contexts: ["fail"],
      }));
      const file = join(dataFolder, "codebook.json");
      writeFileSync(file, JSON.stringify({ schema: "assay.codebook/1", categories }));
      const imported = runCli("codebook", "import", file, "--name", "Grace");
      expect(imported.stdout).toMatch(/^Imported as version 1: 9986 added/);
    },
  );
});
