import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";

import { lexer, type Token, type Tokens, walkTokens } from "marked";
import { describe, expect, it } from "vitest";

import * as evaluation from "@/lib/core/evaluation";
import * as scoring from "@/lib/core/scoring";
import * as stats from "@/lib/core/stats";
import { readOidcSettings } from "@/lib/people/accounts";
import { openViewStoreOf, saveView } from "@/lib/people/views";
import { freshPostgres } from "@/lib/store/database/postgres.fixture";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";
import { getSampleFolder } from "@/lib/testing/samples.fixture";

import { COMMANDS, runCli } from "./run-cli";
import { readVersion } from "./terminal";

const PROJECT = join(import.meta.dirname, "..", "..");
const DOCUMENTS = ["README.md", "SECURITY.md", ...globSync("docs/*.md", { cwd: PROJECT }).toSorted()];
const LIBRARIES: Readonly<Record<string, object>> = { evaluation, scoring, stats };
const DATABASE = "postgres://assay:secret@database.example/assay";

/** Commands that other tests run, or that nothing here can. Those that serve are run by `e2e/guides.spec.ts`. */
const ELSEWHERE: readonly RegExp[] = [
  /^assay view /,
  // End-to-end tests start with a build and serve it.
  /^npm (?:start|test)$/,
  /^npm start -- path\/to\/jobs$/,
  // `e2e/package.spec.ts` makes the package and serves from it.
  /^npm run package$/,
  /^npm install \.\/assay-[\d.]+\.tgz$/,
  /^npx assay view jobs$/,
  // The file is only linted, and the page says so.
  /docker compose up --build$/,
  // A shell line with a foreign program; `watch.test.ts` runs our part.
  /^harbor run \.\.\. & assay watch jobs --stop \|\| kill %1$/,
];

const getTokens = (markdown: string): readonly Token[] => {
  const all: Token[] = [];
  void walkTokens(lexer(markdown), (token) => void all.push(token));
  return all;
};

/** Output and exit code of comparisons of samples, shared by several documents. */
const compared = new Map<string, readonly [code: number, stdout: string]>();

/**
 * Guides whose commands take long: `npm test` reads them only, and runs those of the others and, in `examples.test.ts`, of each
 * help.
 */
const READ_ONLY: ReadonlySet<string> = new Set(
  IS_LONG_RUN ? [] : ["docs/ci.md", "docs/comparing.md", "docs/rules.md", "docs/scanners.md"],
);

/** A command line is of commands and options that there are. */
function expectKnown(text: string): void {
  const [, name = "", ...words] = text.split(" ");
  const help = COMMANDS.get(name)?.help ?? "";
  expect(help, text).not.toBe("");
  for (const option of words.filter((word) => word.startsWith("--"))) expect(help, text).toContain(option);
}

/** A shell of a reader, with a data folder of its own. */
class Shell {
  private readonly isReadOnly: boolean;

  private readonly work = mkdtempSync(join(tmpdir(), "guides-"));
  private env: Record<string, string> = { ASSAY_DATA: join(this.work, "data") };
  private lastCode = 0;

  constructor(isReadOnly: boolean) {
    this.isReadOnly = isReadOnly;
  }

  /** Runs a block of commands and compares each output with the document. */
  async runBlock(text: string): Promise<void> {
    for (const block of text.split(/^(?=\$ )/m)) {
      const [line = "", ...said] = block.split("\n");
      expect(line, "a block of commands begins with one").toMatch(/^\$ /);
      const command = line.slice(2);
      // A command with an exit code other than 0 is followed by `echo $?`.
      if (command !== "echo $?") expect(this.lastCode, `before ${command}`).toBe(0);
      if (this.isReadOnly) await this.run(command);
      else if (!ELSEWHERE.some((one) => one.test(command)))
        expectOutput(await this.run(command), said.filter((one) => one !== "").join("\n"), command);
    }
  }

  /** Writes a file of the reader's; `data` is the data folder. */
  write(file: string, text: string): void {
    const path = join(this.work, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Runs one command. @returns its standard output */
  async run(command: string): Promise<string> {
    const [, verb = "", rest = ""] = /^(assay|export|unset|echo)\b ?(.*)$/.exec(command) ?? [];
    if (verb === "echo" && rest === "$?") {
      const code = this.lastCode;
      this.lastCode = 0;
      return String(code);
    }
    if (verb === "unset")
      this.env = Object.fromEntries(Object.entries(this.env).filter(([name]) => name !== rest));
    else if (verb === "export") {
      const [name = "", value = ""] = rest.split("=");
      expect(value).toBe(DATABASE);
      this.env[name] = (await freshPostgres()).url;
    } else {
      expect(verb, `${command}: name in ELSEWHERE the test that runs it`).toBe("assay");
      return this.runAssay(rest.split(" "));
    }
    return "";
  }

  private async runAssay(words: readonly string[]): Promise<string> {
    if (this.isReadOnly) {
      expectKnown(["assay", ...words].join(" "));
      return "";
    }
    if (words[0] === "backup") await this.saveSomething();
    // Guides show no output of these commands, so one job is enough.
    const isOfAny = !IS_LONG_RUN && ["index", "doctor"].includes(words[0] ?? "");
    const placed = words.map((word) => this.place(isOfAny && word === "jobs" ? "jobs/kernel-steps" : word));
    // Nothing of a data folder that is still empty is in one.
    const key = words[0] === "compare" && !existsSync(join(this.work, "data")) ? placed.join(" ") : null;
    const known = key === null ? undefined : compared.get(key);
    if (known !== undefined) {
      this.lastCode = known[0];
      return known[1];
    }
    let [stdout, stderr] = ["", ""];
    const once = () => undefined;
    this.lastCode = await runCli(placed, {
      stdout: { write: (text: string) => ((stdout += text), true), once },
      stderr: { write: (text: string) => ((stderr += text), true), once },
      env: this.env,
    });
    expect(this.lastCode, stderr).toBeLessThan(2);
    if (key !== null) compared.set(key, [this.lastCode, stdout]);
    return stdout;
  }

  /** Local path of an argument: `jobs` are the samples, `jobs/before` and `jobs/after` two of them. */
  private place(word: string): string {
    const [, job] = /^jobs(?:\/([\w-]+))?$/.exec(word) ?? [word];
    const names: Readonly<Record<string, string>> = { before: "tb2-baseline", after: "tb2-orca-next" };
    if (/^jobs\b/.test(word)) return join(getSampleFolder(), names[job ?? ""] ?? job ?? "");
    return word === "restored" || /^[\w-]+\.\w+$/.test(word) ? join(this.work, word) : word;
  }

  private async saveSomething(): Promise<void> {
    const views = openViewStoreOf(this.env);
    await saveView(views, { name: "All", href: "/jobs", createdBy: null });
    await views.close();
  }
}

/** Line by line, without empty ones. A line "…" matches any lines, and "…" within a line any text. */
function expectOutput(output: string, said: string, command: string): void {
  const escape = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  const pattern = said
    .split("\n")
    .map((line) => (line === "…" ? "(?:.*\n)*?" : `${escape(line).replaceAll("…", ".*")}\n`))
    .join("");
  const text = output
    .replaceAll(/ +$/gm, "")
    .replaceAll(/\n{2,}/g, "\n")
    .trim();
  const isSaid = said === "" ? text === "" : new RegExp(`^${pattern}$`).test(`${text}\n`);
  if (!isSaid) expect(text, `document's output of ${command}`).toBe(said);
}

/** Statements with their value behind them, as `inspect` writes it. */
function expectValues(code: string): void {
  const body = code
    .replaceAll(/^import (\{.*\}) from "assay\/(\w+)";$/gm, "const $1 = libraries.$2;")
    .replaceAll(/^((?!const )\S[^;]*);(?: \/\/ (.*))?$/gm, (_, value: string, said: string) => {
      return `check(${value}, ${JSON.stringify(said)});`;
    });
  const check = (value: unknown, said: string) => expect(inspect(value)).toBe(said);
  runInNewContext(body, { libraries: LIBRARIES, check, TextEncoder });
  expect(body).toContain("check(");
}

function listVariables(yaml: string): readonly (readonly [string, string])[] {
  return Array.from(
    yaml.matchAll(/^ {2}(\w+): (.*)$/gm),
    ([, name = "", value = ""]) => [name, value] as const,
  );
}

async function runCode(shell: Shell, document: string, { lang = "", text }: Tokens.Code): Promise<void> {
  const [language, file] = lang.split(" ");
  if (language === "console") await shell.runBlock(text);
  else if (language === "toml" && file !== undefined) shell.write(join("data", file), text);
  else if (language === "jsonl" && file !== undefined) shell.write(file, text);
  else if (language === "ts") expectValues(text);
  else if (language === "yaml" && text.startsWith("environment:"))
    expect(readOidcSettings(Object.fromEntries(listVariables(text)))).not.toBeNull();
  else if (language === "yaml")
    for (const [, command = ""] of text.matchAll(/- run: (.*)$/gm)) {
      if (command.startsWith("assay ")) await shell.run(command);
      else expect(command).toBe(`npm install --global ./assay-${readVersion()}.tgz`);
    }
  // Those of the API are run by `e2e/api.spec.ts`.
  else expect([document, language], "a block that nothing runs").toEqual(["docs/api.md", "python"]);
}

describe.each(DOCUMENTS)("%s", (document) => {
  const markdown = readFileSync(join(PROJECT, document), "utf8");
  const tokens = getTokens(markdown);

  it("has only commands and code that work as documented", async () => {
    const shell = new Shell(READ_ONLY.has(document));
    for (const token of tokens)
      if (token.type === "code") await runCode(shell, document, token as Tokens.Code);
  });

  it("names no command or option that there is not", () => {
    const named = tokens.flatMap((token) =>
      token.type === "codespan" && /^assay [a-z]/.test(String(token["text"])) ? String(token["text"]) : [],
    );
    for (const text of named) expectKnown(text);
  });

  it("links to existing files", () => {
    const links = tokens.flatMap((token) => (token.type === "link" ? String(token["href"]) : []));
    const folder = dirname(join(PROJECT, document));
    const gone = links.filter((href) => {
      const [path = "", part] = href.split("#");
      const file = path === "" ? join(PROJECT, document) : join(folder, path);
      const isThere = globSync(basename(file), { cwd: dirname(file) }).length > 0;
      return !isThere || (part !== undefined && !readFileSync(file, "utf8").includes("\n#"));
    });
    expect(gone).toEqual([]);
  });

  it.runIf(document.startsWith("docs/"))("begins with a question and ends with its answer", () => {
    const paragraphs = lexer(markdown).filter(({ type }) => type === "paragraph");
    expect(paragraphs[0]?.raw.trim()).toMatch(/\?$/);
    const headings = lexer(markdown).filter(({ type }) => type === "heading");
    expect(headings.at(-1)?.raw.trim()).toMatch(/\?$/);
    expect(paragraphs.at(-1)?.raw.trim()).not.toMatch(/\?$/);
  });
});
