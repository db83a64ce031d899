import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { createAnnotation, openAnnotationStore, resolveAnnotationTarget } from "@/lib/people/annotations";
import {
  dropRights,
  jobFiles,
  jobResult,
  makeFolder,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";

import { runCli } from "./run-cli";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";

async function run(...args: readonly string[]) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof written) => ({
    write: (text: string) => ((written[name] += text), true),
    once: () => undefined,
  });
  const code = await runCli(args, { stdout: stream("stdout"), stderr: stream("stderr"), env: {} });
  return { code, ...written };
}

async function runJson(...args: readonly string[]): Promise<unknown> {
  return JSON.parse((await run(...args)).stdout);
}

describe("usage", () => {
  it.each([[["--help"]], [[]], [["help", "verify"]], [["verify", "--help"]], [["view", "-h"]]])(
    "explains %j",
    async (args) => {
      const { code, stdout, stderr } = await run(...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Usage: assay/);
    },
  );

  it("prints the package's version", async () => {
    expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [["verfy"], 'Unknown command "verfy"'],
    [["verify"], "Pass at least one job folder"],
    [["score"], "Pass a job folder"],
    [["score", "/etc", "--data", "/etc"], "leave out --data"],
    [["compare"], "Pass at least one job folder"],
    [["leaderboard"], "Pass at least one folder"],
    [["leaderboard", "/etc", "--tasks", "some"], "Use own or common"],
    [["compare", "/etc", "--fail-if", "sad"], "--fail-if takes worse"],
    [["compare", "/etc", "--threshold", "high"], "--threshold takes a number"],
    [["compare", "/etc", "--missing", "maybe"], "Use zero or exclude"],
    [["check", "a", "b"], "not also b"],
    [["scan"], "Pass a folder"],
    [["scan", "/etc", "--fail-on", "grave"], "Use high, medium or low"],
    [["scan", "/etc", "--scanner", "nobody"], "Unknown scanner nobody"],
    [["scan", "/etc", "--scanner", "none.toml"], "File none.toml does not exist"],
    [["verify", "--jsn", "x"], "Unknown option '--jsn'"],
    [["view", "--port"], "argument missing"],
    [["trials", "/", "--format", "xml"], 'Unknown format "xml"'],
    [["evaluations"], "Pass a folder"],
    [["evaluations", "/", "--format", "csv"], 'Unknown format "csv"'],
    [["evaluations", "/", "--contract", "tail"], "Use seed or head"],
    [["evaluations", "/etc", "--output", "/etc/out.jsonl"], "Job folders are read-only"],
    [["verify", "/nowhere/at/all"], "Folder /nowhere/at/all does not exist"],
    // Unreadable for other reasons, as below a closed folder.
    [["verify", `/${"n".repeat(300)}`], "cannot be read"],
    [["verify", "/etc/hostname"], "is a file"],
    [["verify", "--summation", "kahan", "/"], 'Unknown summation "kahan"'],
    [["view", "--port", "99999"], "0 to 65535"],
    [["view", "--allow-host", "build.example:80"], "without a port"],
    [["view", "--behind-proxy=yes"], "does not take an argument"],
    [["annotations", "import"], "Pass the files to import."],
    [["annotations", "delete"], "assay annotations export"],
    [["annotations", "export", "--data", "/nowhere/at/all"], "does not exist"],
    [["codebook", "merge"], "assay codebook import FILE"],
    [["codebook", "import"], "Pass a file"],
    [["codebook", "import", "/nowhere.json"], "/nowhere.json cannot be read"],
    [["check", "a\u001b[31m\nb"], "a\\x1b[31m\\x0ab"],
  ])("refuses %j in one line", async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^assay: [^\n]*\n$/);
    expect(stderr).toContain(message);
  });
});

describe("codebook", () => {
  it("exports, previews an import, and imports all of a file or nothing", async () => {
    const folder = makeFolder({});
    const data = ["--data", folder];
    const exported = await run("codebook", "export", ...data);
    expect(exported).toMatchObject({ code: 0, stderr: "" });
    const file = `${folder}/codebook.json`;
    writeFileSync(file, exported.stdout.replace('"Wrong output"', '"Wrong result\\u001b[31m"'));
    const dry = await run("codebook", "import", file, "--dry-run", ...data);
    expect(dry).toEqual({
      code: 0,
      stderr: "",
      stdout:
        "Nothing was changed: 0 added, 1 changed, 13 unchanged, 0 in conflict, 0 errors.\nchanged   Wrong result\\x1b[31m\n",
    });
    expect((await run("codebook", "export", ...data)).stdout).toBe(exported.stdout);
    expect((await run("codebook", "import", file, ...data)).stdout).toMatch(/^Imported as version 1: /);
    expect((await run("codebook", "export", ...data)).stdout).toContain("Wrong result");
    writeFileSync(file, exported.stdout.replaceAll(/"label":"[^"]*"/g, '"label":"Same"'));
    const broken = await run("codebook", "import", file, ...data);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain("Nothing was imported");
    expect(broken.stdout).toContain("error     line 7, entry 2 (Same): There is already a category “Same”.");
  });
});

describe("verify", () => {
  it("ends with 0 when every figure is exact", async () => {
    const { code, stdout, stderr } = await run("verify", makeFolder(jobFiles("run", { [A]: 1, [B]: 0 })));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^job +trials +exact .*\nrun +2 +\d+ +0 +0 +0 +0 +\d+ +exact\n/);
    expect(stdout).toMatch(/\n1 job, 2 trials, \d+ figures: \d+ exact, 0 ulp, 0 explained, 0 mismatch/);
  });

  it("exits with 1 on a mismatch and shows both numbers", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    writeFiles(folder, { [`run/${B}/verifier/reward.txt`]: "1" });
    const { code, stdout } = await run("verify", folder);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /\nrun\n {2}mismatch: beta__bbbbbbb\n {4}recorded .*0\}\n {4}recomputed .*1\.0\}\n {4}\S/,
    );
    const document = await runJson("verify", "--json", folder);
    expect(document).toMatchObject({
      schema: "assay.verify/3",
      counts: { mismatch: 1 },
      jobs: [{ key: "run", verdict: "mismatch" }],
    });
    expect(JSON.stringify(document)).toMatch(/"verdict":"mismatch",[^{}]*"trials":\["beta__bbbbbbb"\]/);
  });

  it("minds figures of a newer Harbor only when strict", async () => {
    const result = jobResult({ [A]: 1 }, { n_total_trials: 7 });
    const folder = makeFolder({
      ...jobFiles("j", { [A]: 1 }),
      "j/result.json": result,
      "j/lock.json": { harbor: { version: "9.0.0" } },
    });
    const plain = await run("verify", folder);
    expect(plain.stdout).toContain("Unknown rule (Harbor 9.0.0)");
    expect([plain.code, (await run("verify", "--strict", folder)).code]).toEqual([0, 1]);
  });

  it("minds figures without their trials only when strict", async () => {
    const folder = makeFolder({ "gone/result.json": jobResult({ [A]: 1 }) });
    expect((await run("verify", folder)).code).toBe(0);
    expect((await run("verify", "--strict", folder)).code).toBe(1);
  });

  it("accepts several folders and distinguishes jobs of one name", async () => {
    const one = makeFolder(jobFiles("run", { [A]: 1 }));
    const two = makeFolder(jobFiles("run", { [B]: 0 }, { id: "two" }));
    const { stdout } = await run("verify", one, two);
    expect(stdout.match(/^run~[0-9a-f]{6} /gm)).toHaveLength(2);
  });

  it.each([
    ["", 2, ""],
    ["one", 0, "two"],
    [`one/${A}`, 0, "two"],
  ])("names the folder %j that is closed to the user, and checks the others", async (path, code, checked) => {
    dropRights();
    const other = { "result.json": trialResult(A, 1, { id: "another" }) };
    const folder = makeFolder({
      ...jobFiles("one", { [A]: 1, [B]: 0 }),
      ...jobFiles("two", { [A]: 1 }, { id: "2" }),
    });
    writeFiles(`${folder}/two/${A}`, other);
    chmodSync(join(folder, path), 0);
    onTestFinished(() => chmodSync(join(folder, path), 0o700));
    const ran = await run("verify", folder);
    expect(ran.code).toBe(code);
    expect(ran.stderr.split("\n")[0]).toBe(
      `assay: ${join("jobs", path)}: No permission to read it. Grant it to the user that runs Assay.`,
    );
    if (checked === "") expect(ran.stdout).toBe("");
    else expect(ran.stdout).toMatch(new RegExp(`^${checked} +1 .* exact$`, "m"));
  });

  it("says when there is no job", async () => {
    expect((await run("verify", makeFolder({ "README.md": "" }))).stderr).toContain(
      "No Harbor job or ledger in",
    );
  });

  it("lists exact figures on request and keeps hostile names on their line", async () => {
    const name = "evil\u001b]0;x\u0007\u202e";
    const folder = makeFolder(jobFiles(name, { [A]: 1 }));
    const { stdout } = await run("verify", "--all", folder);
    expect(stdout).toContain("\nevil\\x1b]0;x\\x07\\u202e\n  exact: ");
    expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
  });
});

describe("score", () => {
  const line =
    'BASE_BENCHMARK_RESULT={"reason_code": null, "resolved": 1, "score": 0.5, "status": "completed", "total": 2}\n';

  it("prints the line from result.json and the same from the trials", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    expect(await run("score", `${folder}/run`)).toEqual({ code: 0, stdout: line, stderr: "" });
    expect(await run("score", "--from-trials", folder)).toEqual({ code: 0, stdout: line, stderr: "" });
    writeFiles(folder, { [`run/${B}/result.json`]: trialResult(B, 1) });
    expect((await run("score", `${folder}/run`)).stdout).toBe(line);
    expect((await run("score", "--from-trials", `${folder}/run`)).stdout).toContain('"score": 1.0');
    expect(await runJson("score", "--json", `${folder}/run`)).toMatchObject({
      schema: "assay.score/1",
      source: "result.json",
      outcome: { score: { value: 0.5, text: "0.5" }, resolved: 1, reason_code: null },
    });
  });

  it("names the reason when result.json is missing or torn", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    writeFileSync(`${folder}/run/result.json`, '{"stats"');
    expect((await run("score", `${folder}/run`)).stdout).toContain(
      '"reason_code": "harbor_result_malformed"',
    );
    rmSync(`${folder}/run/result.json`);
    expect((await run("score", `${folder}/run`)).stdout).toContain('"reason_code": "harbor_result_missing"');
  });

  it("asks which job is meant", async () => {
    const folder = makeFolder({ ...jobFiles("a", { [A]: 1 }), ...jobFiles("b", { [B]: 1 }, { id: "b" }) });
    expect((await run("score", folder)).stderr).toContain("contains 2 jobs");
  });

  it.each<[string, (path: string) => void]>([
    ["A folder was found where a file was expected", (path) => mkdirSync(path)],
    ["A device or pipe was found", (path) => execFileSync("mkfifo", [path])],
    ["points outside the opened folder", (path) => symlinkSync("/etc/hostname", path)],
  ])("reports a result.json that is not a file: %s", async (message, replace) => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    rmSync(`${folder}/run/result.json`);
    replace(`${folder}/run/result.json`);
    const { code, stdout, stderr } = await run("score", `${folder}/run`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`run/result.json: `);
    expect(stderr).toContain(message);
  });

  it("uses the job of the result.json if two jobs share the folder", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const config = { task: { path: "t" }, trial_name: B, job_id: "22222222-2222-4222-8222-222222222222" };
    writeFiles(folder, { [`run/${B}/result.json`]: trialResult(B, 0, { config }) });
    const { stdout, stderr } = await run("score", "--from-trials", `${folder}/run`);
    expect(stderr).toBe("");
    expect(stdout).toContain('"score": 1.0');
  });
});

describe("score --sensitivity", () => {
  it("prints each score by reading, with the trials that it moves", async () => {
    const ended = (type: string) => ({
      exception_type: type,
      exception_message: "",
      exception_traceback: "",
      occurred_at: "2026-05-01T17:05:00",
    });
    const folder = makeFolder({
      ...jobFiles("run", { [A]: 1, [B]: 0 }),
      [`run/${B}/result.json`]: trialResult(B, 0, { exception_info: ended("AgentTimeoutError") }),
      "run/gamma__ccccccc/result.json": trialResult("gamma__ccccccc", null, {
        exception_info: ended("ApiRateLimitError"),
      }),
    });
    const { code, stdout } = await run("score", "--sensitivity", `${folder}/run`);
    expect(code).toBe(0);
    const [heading, cells] = stdout
      .split("\n")
      .slice(2)
      .map((line) => line.trim().split(/ {2,}/));
    expect(Object.fromEntries((heading ?? []).map((name, at) => [name, cells?.[at]]))).toMatchObject({
      score: "0.333",
      "without infrastructure": "0.500 (1)",
      "without timeouts": "0.500 (1)",
      "without both": "1.000 (2)",
      "missing excluded": "0.500 (1)",
      "missing all 0 to all 1": "0.333 to 0.667 (1)",
    });
    const json = await runJson("score", "--sensitivity", "--json", `${folder}/run`);
    expect(json).toMatchObject({
      schema: "assay.sensitivity/1",
      groups: [
        { sensitivity: { n_missing: 1, readings: { "without-both": { mean: { mean: 1 }, n_moved: 2 } } } },
      ],
    });
    // As on the pages, rules that cannot be used leave those that come along in force, and that is said.
    const broken = ["--data", makeFolder({ "rules.toml": "[[rule]]\n" })];
    const again = await run("score", "--sensitivity", `${folder}/run`, ...broken);
    expect(again).toMatchObject({ code: 0, stdout });
    expect(again.stderr).toContain("rules.toml: Line 1");
  });
});

it("a rule that would never end is named once, and its trials are unexplained", async () => {
  const folder = makeFolder(jobFiles("run", { [A]: 0, [B]: 0 }));
  for (const trial of [A, B])
    writeFiles(folder, { [`run/${trial}/verifier/test-stdout.txt`]: `${"a".repeat(200)}\n` });
  const rule = `[[rule]]
id = "endless"
class = "task_broken"
why = "Ours."
match = [{ verifier-output = '(.*)*(.*)*(.*)*x!' }]
`;
  const data = makeFolder({ "rules.toml": rule });
  const { code, stderr } = await run("score", "--sensitivity", `${folder}/run`, "--data", data);
  expect([code, stderr.match(/endless/gu)?.length]).toEqual([0, 1]);
});

describe("check", () => {
  it("lists lost work and unreadable files", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    rmSync(`${folder}/run/${B}`, { recursive: true });
    expect((await run("check", folder)).stdout).toMatch(/run +in result\.json without a folder +1 +— /);
    expect(await runJson("check", "--json", folder)).toMatchObject({
      lost_work: [{ job: "run", kind: "named-only", n: 1, cost_usd: null, example: B }],
    });
  });

  it("prints nothing but sums when all is well", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    expect((await run("check", folder)).stdout).toBe("1 job, 1 trial, 0 problems, 0 notes\n");
  });

  it("names copies that do not count, as the commands that leave them out do", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    for (const command of ["check", "trials", "leaderboard"])
      expect((await run(command, folder)).stderr, command).toBe("");
    cpSync(join(folder, "run"), join(folder, "run-again"), { recursive: true });
    for (const command of ["check", "trials", "leaderboard"])
      expect((await run(command, folder)).stderr, command).toMatch(/not counted: .*run/);
  });

  it("grades its findings", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    writeFileSync(`${folder}/run/${A}/result.json`, "");
    rmSync(`${folder}/run/${B}/result.json`);
    const { code, stdout } = await run("check", folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`problem +file_empty +jobs/run/${A}/result.json +`));
    expect(stdout).toMatch(/note +trial_without_result/);
    expect((await run("check", "--strict", folder)).code).toBe(1);
    expect(await runJson("check", folder, "--json")).toMatchObject({
      schema: "assay.check/1",
      n_problems: 1,
      n_notes: 1,
      issues: [{ severity: "problem", code: "file_empty" }, { severity: "note" }],
    });
  });
});

describe("view", () => {
  it("refuses to keep annotations inside a job, before it serves anything", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const { code, stdout, stderr } = await run("view", folder, "--data", `${folder}/run/notes`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("is inside the job folder");
  });
});

describe("trials", () => {
  it("name the trial if its task has no name, and leave the field empty", async () => {
    const folder = makeFolder({
      ...jobFiles("run", { [A]: 1 }),
      [`run/${A}/result.json`]: { ...trialResult(A, 1), task_name: "" },
    });
    expect((await run("trials", folder)).stdout).toContain(`${A} (no task name)`);
    expect(await runJson("trials", folder, "--json")).toMatchObject({ trials: [{ task_name: "" }] });
  });

  it("accepts --json like the other commands", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const asJson = (await run("trials", folder, "--json")).stdout;
    expect(asJson).toBe((await run("trials", folder, "--format", "json")).stdout);
    expect(JSON.parse(asJson)).toMatchObject({ schema: "assay.trials/2", trials: [{ outcome: "passed" }] });
  });

  const rewards = '"rewards":{"i":1,"f":1.0,"n":NaN,"big":123456789012345678901}';

  it("lists main fields, and missing values as a dash", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    writeFiles(folder, { [`run/${B}/result.json`]: trialResult(B, null, { started_at: null }) });
    const lines = (await run("trials", folder)).stdout.split("\n");
    expect(lines[1]).toMatch(/^run +alpha__aaaaaaa +alpha +orca +m1 +1 +passed +1 +10\D/);
    expect(lines[2]).toMatch(/unscored +— +—$/);
  });

  it("keeps Python's text with the double", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const text = JSON.stringify(trialResult(A, 1)).replace('"rewards":{"reward":1}', rewards);
    writeFileSync(`${folder}/run/${A}/result.json`, text);
    expect(await runJson("trials", folder, "--format", "json")).toMatchObject({
      schema: "assay.trials/2",
      trials: [
        {
          key: A,
          duration_ms: 600_000,
          rewards: [
            { key: "i", value: 1, text: "1" },
            { key: "f", value: 1, text: "1.0" },
            { key: "n", value: null, text: "NaN" },
            { key: "big", value: 123456789012345680000, text: "123456789012345678901" },
          ],
          reward_file: {
            kind: "read",
            file: "reward.txt",
            rewards: [{ key: "reward", value: 1, text: "1.0" }],
          },
          steps: null,
        },
      ],
    });
  });

  it("is valid JSON and CSV without a trial", async () => {
    const folder = makeFolder({ "README.md": "" });
    expect(await runJson("trials", folder, "--format", "json")).toEqual({
      schema: "assay.trials/2",
      trials: [],
    });
    expect((await run("trials", folder, "--format", "csv")).stdout).toMatch(/^job_key,[^\n]*\r\n$/);
  });

  it("writes a column for each reward key and guards formulas", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const exception = { exception_type: "=cmd()", exception_message: 'a "b",\nc', exception_traceback: "" };
    writeFiles(folder, {
      [`run/${B}/result.json`]: trialResult(B, 0, {
        exception_info: exception,
        verifier_result: { rewards: { "@sum": -1 } },
      }),
    });
    const { stdout } = await run("trials", "--format", "csv", folder);
    const [heading = ""] = stdout.split("\r\n");
    expect(heading.endsWith(",reward:reward,reward_file:reward,reward:@sum,reward_file:@sum")).toBe(true);
    expect(stdout).toContain(`,'=cmd(),"a ""b"",\nc",`);
    expect(stdout.endsWith(",,,-1,\r\n")).toBe(true);
  });
});

describe("annotations export", () => {
  it("writes saved judgments and nothing for an empty folder", async () => {
    const dataFolder = `${makeFolder({})}/data`;
    mkdirSync(dataFolder);
    expect(await run("annotations", "export", "--data", dataFolder)).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    const store = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: dataFolder }));
    await createAnnotation(store, {
      subject: {
        trialId: "t",
        jobUuid: "j",
        trialName: A,
        jobName: "run",
        rootLabel: "jobs",
        taskName: "alpha",
        agent: "orca",
        model: null,
        outcomeSeen: "passed",
        rewardSeen: "1.0",
      },
      draft: { reviewerId: "Ada", reviewerDiscipline: null, judgment: "fail", categories: [], notes: null },
      baseVersionId: null,
    });
    await store.close();
    const { stdout } = await run("annotations", "export", "--data", dataFolder);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    ).toMatchObject([{ schema: "assay.annotation/1", trial_name: A, judgment: "fail", reviewer_id: "Ada" }]);
  });

  it("exits with 1 and says so if a file is damaged, and writes what it can", async () => {
    const dataFolder = makeFolder({ "annotations.sqlite": "" });
    const { code, stdout, stderr } = await run("annotations", "export", "--data", dataFolder);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ schema: "assay.annotations-damaged/1" });
    expect(stderr).toContain(`${dataFolder}/annotations.sqlite`);
  });
});

describe("evaluations", () => {
  it("writes a line a trial, counts them on stderr, and fails only when asked to", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 93 }));
    const data = makeFolder({});
    const { code, stdout, stderr } = await run("evaluations", folder, "--data", data);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      {
        schema: "assay.evaluation/2",
        trial_name: A,
        evaluation: null,
        partial_evaluation: { reward: 1, validity: { output_parseable: null } },
        issues: [],
      },
      {
        trial_name: B,
        evaluation: null,
        partial_evaluation: null,
        issues: [{ code: "value_error", field: "reward" }],
      },
    ]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "2 trials: 0 evaluated, 1 in part (a validity gate is unknown), 1 rejected by the contract, 0 without a result\n",
    });
    const strict = await run("evaluations", folder, "--data", data, "--strict", "--format", "json");
    expect(strict.code).toBe(1);
    expect(JSON.parse(strict.stdout)).toEqual(lines);
  });
});
