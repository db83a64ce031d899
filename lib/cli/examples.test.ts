import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeAll, expect, it } from "vitest";

import { openViewStoreOf, saveView } from "@/lib/people/views";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";
import { getSampleFolder } from "@/lib/testing/samples.fixture";

import { COMMANDS, runCli } from "./run-cli";

const work = mkdtempSync(join(tmpdir(), "examples-"));
/** Jobs with most trials but no unique kinds; commands over all jobs skip them in a short run. */
const LARGE = /tb2-(?:baseline|orca-next|canary-running)|swe-mini-31|terminal-mix-oracle/u;
const jobs = join(work, "jobs");
cpSync(getSampleFolder(), jobs, { recursive: true, filter: (from) => IS_LONG_RUN || !LARGE.test(from) });
const PLACES: Readonly<Record<string, string>> = {
  jobs,
  "jobs/before": IS_LONG_RUN
    ? join(getSampleFolder(), "tb2-baseline")
    : join(jobs, "infra-smoke-interrupted"),
  "jobs/after": IS_LONG_RUN ? join(getSampleFolder(), "tb2-orca-next") : join(jobs, "infra-smoke-edited"),
  restored: join(work, "restored"),
};

// Something to back up.
beforeAll(async () => {
  const views = openViewStoreOf({ ASSAY_DATA: join(work, "data") });
  await saveView(views, { name: "All", href: "/jobs", createdBy: null });
  await views.close();
});

async function run(args: readonly string[]) {
  let stdout = "";
  let stderr = "";
  const once = () => undefined;
  const code = await runCli(args, {
    stdout: { write: (text: string) => ((stdout += text), true), once },
    stderr: { write: (text: string) => ((stderr += text), true), once },
    env: { ASSAY_DATA: join(work, "data") },
  });
  return { code, stdout, stderr };
}

// One serves until it is stopped, and one is a line of a shell; other tests run both.
const examples = [...COMMANDS.values()]
  .flatMap((command) => command.examples)
  .filter((example) => example.startsWith("assay ") && !example.startsWith("assay view"));

it.each(examples)("%s does what its help says", async (example) => {
  const [line = "", target] = example.split(" > ");
  const args = line
    .split(" ")
    .slice(1)
    // A report names the groups that it is of.
    .map(
      (word) =>
        (word === "jobs" && IS_LONG_RUN && line.startsWith("assay report")
          ? getSampleFolder()
          : PLACES[word]) ?? (/^[\w-]+\.\w+$/.test(word) ? join(work, word) : word),
    );
  const { code, stdout, stderr } = await run(args);
  // The samples have figures that do not match, and trials worth a look: 1 is an answer, 2 is none.
  expect(code, stderr).toBeLessThan(2);
  if (target !== undefined && !target.includes("/")) writeFileSync(join(work, target), stdout);
});

it("completes commands, their options and nothing else in bash", async () => {
  const { stdout: script } = await run(["completions", "bash"]);
  const complete = (...words: readonly string[]) =>
    execFileSync(
      "bash",
      [
        "-c",
        `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; printf '%s\\n' "\${COMPREPLY[@]}"`,
        "bash",
        ...words,
      ],
      { cwd: work, encoding: "utf8" },
    )
      .split("\n")
      .filter((word) => word !== "");
  expect(complete("assay", "co").toSorted()).toEqual(["codebook", "compare", "completions"]);
  expect(complete("assay", "compare", "--b")).toEqual(["--baseline"]);
  expect(complete("assay", "check", "--b")).toEqual([]);
  expect(complete("assay", "accounts", "").toSorted()).toEqual(["add", "list", "password"]);
  expect(complete("assay", "annotations", "e")).toEqual(["export"]);
  expect(complete("assay", "codebook", "i")).toEqual(["import"]);
  expect(complete("assay", "completions", "").toSorted()).toEqual(["bash", "fish", "zsh"]);
  expect(complete("assay", "accounts", "add", "Ada", "--role", "a").toSorted()).toEqual([
    "adjudicator",
    "admin",
  ]);
  // Account names must not be guessable.
  expect(complete("assay", "accounts", "add", "")).toEqual([]);
  // A file is the shell's to complete, since it knows how to quote its name.
  writeFileSync(join(work, "my jobs"), "");
  expect(complete("assay", "view", "my")).toEqual([]);
});
