import { createHash } from "node:crypto";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { readReportDocument } from "@/lib/output/report";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";

import { runCli } from "./run-cli";

async function run(...args: readonly string[]) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof written) => ({
    write: (text: string) => ((written[name] += text), true),
    once: () => undefined,
  });
  const code = await runCli(args, { stdout: stream("stdout"), stderr: stream("stderr"), env: {} });
  return { code, ...written };
}

const TASKS = Array.from({ length: 12 }, (_, at) => `task-${String(at)}`);

function prepareJob(name: string, isPassed: (at: number) => boolean) {
  const trials = TASKS.map((task, at): [string, number] => [
    `${task}__${name
      .replaceAll(/[^a-z0-9]/gu, "")
      .padEnd(7, "x")
      .slice(0, 7)}`,
    Number(isPassed(at)),
  ]);
  return jobFiles(name, Object.fromEntries(trials), { id: `id of ${name}` });
}

/** Two runs of each of two, and the place that a report of them is written to. */
function writeJobs() {
  const jobs = makeFolder({
    ...prepareJob("base-1", (at) => at % 2 === 0),
    ...prepareJob("base-2", (at) => at % 3 === 0),
    ...prepareJob("fix-1", () => true),
    ...prepareJob("fix-2", (at) => at !== 5),
  });
  const out = mkdtempSync(join(tmpdir(), "report-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  return { jobs, file: join(out, "report.html") };
}

async function writeReport() {
  const { jobs, file } = writeJobs();
  const written = await run("report", jobs, "--pool", "numbers", "-o", file);
  expect(written).toEqual({ code: 0, stdout: "", stderr: "" });
  return { jobs, file, html: readFileSync(file, "utf8") };
}

it("writes one file that loads and runs nothing, with the figures of assay compare", async () => {
  const { jobs, html } = await writeReport();
  const compared = await run("compare", jobs, "--pool", "numbers", "--json");
  const document = readReportDocument(html);
  expect(document?.comparison).toEqual(JSON.parse(compared.stdout));
  const { pairs } = z
    .object({ pairs: z.array(z.object({ sentence: z.string() })) })
    .parse(document?.comparison);
  for (const { sentence } of pairs) expect(html).toContain(sentence);
  expect(html).toContain(`content="default-src &#x27;none&#x27;; style-src &#x27;unsafe-inline&#x27;`);
  expect(html).not.toMatch(
    /<(?:a|link|img|iframe|object|form|base)\b|\b(?:src|href)=|@import|url\(|javascript:/iu,
  );
  expect(html.match(/<script[^>]*>/gu)).toEqual([`<script type="application/json" id="assay-report">`]);
  expect(html.length).toBeLessThan(300_000);
});

it("has the hash of every input file, equal to other software's", async () => {
  const { jobs, html } = await writeReport();
  const document = readReportDocument(html);
  expect(document?.jobs.map(({ name }) => name)).toEqual(["base-1", "base-2", "fix-1", "fix-2"]);
  for (const job of document?.jobs ?? []) {
    const files = job.files ?? [];
    expect(files.map(([path]) => path)).toEqual(expect.arrayContaining(["result.json"]));
    // The result of every trial, and its reward file.
    expect(files.filter(([path]) => path.endsWith("/result.json"))).toHaveLength(TASKS.length);
    const lines = files.map(([path, sha256]) => {
      const bytes = readFileSync(join(jobs, job.name, path));
      expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
      return `${sha256}  ${path}\n`;
    });
    expect(job.sha256).toBe(createHash("sha256").update(lines.join("")).digest("hex"));
  }
});

it("writes the same bytes again, and finds its folders relative to its own", async () => {
  const { file, html, jobs } = await writeReport();
  await run("report", jobs, "--pool", "numbers", "-o", `${file}.again`);
  expect(readFileSync(`${file}.again`, "utf8")).toBe(html);
  const held = await run("report", "--check", file);
  expect([held.code, held.stdout]).toEqual([0, expect.stringContaining("The report is valid")]);
});

it("names the file and the figures that are others now", async () => {
  const { file, jobs } = await writeReport();
  const moved = `${jobs}-moved`;
  cpSync(jobs, moved, { recursive: true });
  onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
  expect((await run("report", "--check", file, moved)).code).toBe(0);
  // A space changes the file and no figure.
  const trial = `task-3__fix1xxx`;
  appendFileSync(join(moved, "fix-1", trial, "result.json"), " ");
  const touched = await run("report", "--check", file, moved);
  expect([touched.code, touched.stdout]).toEqual([
    1,
    expect.stringContaining(`file: fix-1/${trial}/result.json has another SHA-256`),
  ]);
  expect(touched.stdout).not.toContain("figure:");
  const result = join(moved, "fix-1", trial, "result.json");
  writeFileSync(result, readFileSync(result, "utf8").replaceAll(/("reward": ?)1(\.0)?/gu, "$10"));
  const changed = await run("report", "--check", file, moved);
  expect(changed.stdout).toMatch(/figure: comparison\.groups\[\d\]\.mean\.mean was/u);
});

it("is valid under the custom rules it was written with, and under no others", async () => {
  const { jobs, file } = writeJobs();
  const rule = `id = "mine"\nclass = "infrastructure"\nwhy = "Ours."\nfacts = ["reward-zero"]\n`;
  const data = makeFolder({ "rules.toml": `[[rule]]\n${rule}` });
  await run("report", jobs, "--data", data, "-o", file);
  expect((await run("report", "--check", file, "--data", data)).code).toBe(0);
  const { code, stdout } = await run("report", "--check", file);
  expect([code, stdout]).toEqual([1, expect.stringContaining("without-infrastructure")]);
  expect(stdout).toContain("rules: The report used rules");
});

it("reports other rules even if they change no figure", async () => {
  const { file } = await writeReport();
  const rule = `id = "mine"\nclass = "infrastructure"\nwhy = "Ours."\nmatch = [{ exception = "none like this" }]\n`;
  const data = makeFolder({ "rules.toml": `[[rule]]\n${rule}` });
  const { code, stdout } = await run("report", "--check", file, "--data", data);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^rules: .+\nThe report is valid/u)]);
});

it("detects an edited page with unchanged figures", async () => {
  const { file, html } = await writeReport();
  writeFileSync(file, html.replace("is better than", "is worse than"));
  const { code, stdout } = await run("report", "--check", file);
  expect([code, stdout]).toEqual([1, expect.stringContaining("it was edited")]);
});

it("explains why it cannot recompute a report", async () => {
  const { file, jobs } = await writeReport();
  const text = join(jobs, "..", "no-report.html");
  writeFileSync(text, "<html></html>");
  onTestFinished(() => rmSync(text, { force: true }));
  const say = async (...args: readonly string[]) => {
    const { code, stderr } = await run("report", ...args);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await say("--check", text)).toContain("is not a report of this version of assay report");
  expect(await say("--check", file, join(jobs, "gone"))).toContain("does not exist");
  expect(await say("--check", file, join(jobs, "fix-1"))).toContain("of a job base-1");
  expect(await say("--check", file, "--key", "reward")).toContain("leave out --key");
  expect(await say(jobs, "-o", join(jobs, "report.html"))).toContain("Job folders are read-only");
  rmSync(jobs, { recursive: true });
  expect(await say("--check", file)).toContain("Add the job folders");
});

it("keeps hostile names text", async () => {
  const hostile = `</script><script>alert(1)</script><img src=x onerror=alert(1)>`.replaceAll("/", "∕");
  const jobs = makeFolder({
    ...jobFiles("a", { [`${hostile.slice(0, 60)}__aaaaaaa`]: 1, one__aaaaaab: 0 }),
    ...jobFiles(`b<!--"'&`, { [`${hostile.slice(0, 60)}__bbbbbbb`]: 1, one__bbbbbbc: 1 }, { id: "second" }),
  });
  const { stdout, code } = await run("report", jobs);
  expect(code).toBe(0);
  expect(stdout).toContain("&lt;script&gt;alert(1)");
  expect(stdout.match(/<script/gu)).toHaveLength(1);
  expect(stdout).not.toMatch(/<img|<!--/u);
  expect(readReportDocument(stdout)?.jobs.map(({ name }) => name)).toContain(`b<!--"'&`);
});
