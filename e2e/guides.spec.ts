import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import type { Page } from "@playwright/test";
import { lexer, type MarkedToken, type Token, walkTokens } from "marked";

import { IS_LONG_RUN } from "../lib/testing/plan-runs";
import { addAccount, signIn } from "./fixtures/accounts";
import { expect, test, withFewJobs } from "./fixtures/app";

const PROJECT = join(import.meta.dirname, "..");
const FILES = [...globSync("docs/*.md", { cwd: PROJECT }).toSorted(), "SECURITY.md"];
const nameOf = (file: string) => basename(file, ".md").toLowerCase();
const read = (file: string) => readFileSync(join(PROJECT, file), "utf8");

/** Claims of a guide about a page: its URL in code, and texts of the page in bold. */
interface Claim {
  readonly address: string;
  readonly words: string[];
}

/** Claims of a paragraph, list item or table cell. Texts belong to the preceding URL. */
function listClaims(tokens: readonly Token[]): readonly Claim[] {
  const claims: Claim[] = [];
  void walkTokens([...tokens], (token) => {
    const text = "text" in token ? String(token["text"]) : "";
    if (token.type === "codespan" && /^\/[^{}…]*$/.test(text)) claims.push({ address: text, words: [] });
    if (token.type !== "strong") return;
    expect(claims, `"${text}" is bold without the address of a page that shows it`).not.toEqual([]);
    claims.at(-1)?.words.push(text);
  });
  return claims;
}

/** Parts of a guide with independent claims. */
function listParts(markdown: string): readonly (readonly Token[])[] {
  // The lexer makes tokens of its own kinds.
  return (lexer(markdown) as MarkedToken[]).flatMap((token) => {
    if (token.type === "list") return token.items.map(({ tokens }) => tokens);
    if (token.type === "table") return token.rows.flat().map(({ tokens }) => tokens);
    return token.type === "paragraph" ? [token.tokens] : [];
  });
}

const readPage = async (page: Page) => (await page.getByRole("main").innerText()).replaceAll(/\s+/g, " ");

const squeeze = (text: string) => text.replaceAll(/\s+/g, "");

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** Text of a document's main part as the server sends it, including streamed parts, without white space. */
function readSent(html: string): string {
  const text = html
    .slice(Math.max(0, html.indexOf("<main")))
    .replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&([\w#]+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
  return squeeze(text);
}

for (const file of FILES.filter((one) => one !== "SECURITY.md")) {
  test(`${file}: every URL responds and shows the guide's texts`, async ({ page }) => {
    const claims = listParts(read(file)).flatMap(listClaims);
    for (const [address, own] of Map.groupBy(claims, (claim) => claim.address)) {
      const words = own.flatMap((claim) => claim.words);
      if (words.length === 0) {
        const answer = await page.request.get(address);
        expect(answer.status(), address).toBe(200);
        if (!address.startsWith("/api/")) expect(await answer.text(), address).toContain("<h1");
        continue;
      }
      // Most texts are in the server's HTML, which needs no browser.
      const answer = await page.request.get(address);
      expect(answer.status(), address).toBe(200);
      const sent = IS_LONG_RUN ? "" : readSent(await answer.text());
      const drawn = words.filter((text) => !sent.includes(squeeze(text)));
      if (drawn.length === 0) continue;
      expect((await page.goto(address))?.status(), address).toBe(200);
      await expect(page.getByRole("heading", { level: 1 }), address).toBeVisible();
      for (const text of drawn)
        await expect.poll(() => readPage(page), address).toContain(text.replaceAll(/\s+/g, " "));
    }
  });
}

test("Assay has all guides, with their text and working links", async ({ page }) => {
  await page.goto("/help");
  const listed = await page
    .getByRole("main")
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(listed.toSorted()).toEqual(FILES.map((file) => `/help/${nameOf(file)}`).toSorted());
  const anchors: string[] = [];
  for (const file of FILES) {
    // Rendered from the server's HTML, because guides have no scripts.
    const answer = await page.request.get(`/help/${nameOf(file)}`);
    await page.setContent(
      (await answer.text()).replaceAll(/<(script|link)\b[^>]*>(?:[^<]*<\/script>)?/g, ""),
    );
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^# (.*)$/m.exec(read(file))?.[1] ?? "");
    const headings = [...read(file).matchAll(/^##+ (.*)$/gm)].map(([, title = ""]) =>
      title.replaceAll("`", ""),
    );
    await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText(headings);
    // No Markdown syntax is left.
    expect(await readPage(page)).not.toMatch(/\*\*|```|\]\(/);
    const links = page.getByRole("main").locator('a[href^="/help"]');
    anchors.push(...(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""))));
  }
  for (const [path = "", links] of Map.groupBy(new Set(anchors), (address) => address.split("#")[0])) {
    const answer = await page.request.get(path);
    expect(answer.status(), path).toBe(200);
    const text = await answer.text();
    for (const [, part] of links.map((address) => address.split("#")))
      if (part !== undefined) expect(text, path).toContain(`id="${part}"`);
  }
});

test("help opens the page's guide by its key and from the key sheet", async ({ page }) => {
  await page.goto("/errors");
  await expect(async () => {
    // A key may be pressed before the page listens. On the guide it would navigate.
    if (new URL(page.url()).pathname === "/errors") await page.keyboard.press("H");
    await expect(page).toHaveURL(/\/help\/./, { timeout: 5000 });
  }).toPass();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Failures");
  await page.goto("/compare");
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.getByRole("dialog").getByRole("link", { name: "Help on this page" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Comparing");
});

test("the commands of the guides serve pages @long", async ({ page }) => {
  test.setTimeout(240_000);
  const commands = ["README.md", ...FILES].flatMap(
    (file) => read(file).match(/(?<=^\$ assay view ).*$/gm) ?? [],
  );
  expect(commands.length).toBeGreaterThan(2);
  // The ports in the guides may be in use.
  for (const command of new Set(commands.map((line) => line.replace(/ --port \d+/, "")))) {
    const options = command.split(" ");
    expect(options.pop(), command).toBe("jobs");
    const isOpenToOthers = /--(?:host|allow-host|behind-proxy)\b/.test(command);
    let password = "";
    await withFewJobs(
      async ({ url }) => {
        await page.goto(url);
        if (isOpenToOthers) await signIn(page, "Ada", password);
        await expect(page.getByRole("heading", { level: 1 }), command).toHaveText("Runs");
      },
      (folders) => {
        if (isOpenToOthers) password = addAccount(folders, "Ada", "admin");
      },
      { options },
    );
  }
});
