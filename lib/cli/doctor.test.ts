import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";

import { startOidcProvider } from "@/lib/people/accounts/oidc-provider.fixture";
import { freshPostgres } from "@/lib/store/database/postgres.fixture";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";

import { runCli } from "./run-cli";

/** Findings by name, up to the first path. */
async function examine(env: Readonly<Record<string, string>>, ...words: readonly string[]) {
  let stdout = "";
  const sink = { write: () => true, once: () => undefined };
  const out = { ...sink, write: (text: string) => ((stdout += text), true) };
  const code = await runCli(["doctor", "--json", ...words], { stdout: out, stderr: sink, env });
  const { findings } = JSON.parse(stdout) as {
    readonly findings: readonly Readonly<Record<"name" | "state" | "detail" | "remedy", string>>[];
  };
  const states = findings.map(({ name, state }) => [name.replace(/ [/\w-]*\/.*$/, ""), state]);
  return { code, states: Object.fromEntries(states) as Record<string, string>, findings };
}

const makeJobs = () => makeFolder(jobFiles("run", { alpha__aaaaaaa: 1, beta__bbbbbbb: 0 }));
const makeParent = () => mkdtempSync(join(tmpdir(), "doctor-"));

it("finds nothing wrong with jobs and a data folder that is still to be made, and makes none", async () => {
  const data = join(makeParent(), "data");
  const { code, states, findings } = await examine({ ASSAY_DATA: data }, makeJobs());
  expect(code).toBe(0);
  expect(new Set(Object.values(states))).toEqual(new Set(["ok"]));
  expect(findings.map(({ detail }) => detail)).toContain("1 job");
  expect(existsSync(data)).toBe(false);
  expect(readdirSync(dirname(data))).toEqual([]);
});

it("names the problem of each folder, and continues with the others", async () => {
  const jobs = makeJobs();
  const parent = makeParent();
  writeFileSync(join(parent, "file"), "");
  const inside = await examine({ ASSAY_DATA: join(jobs, "run", "data") }, jobs, join(parent, "gone"));
  expect(inside.code).toBe(1);
  expect(inside.states).toMatchObject({ "data folder": "problem", Node: "ok" });
  const folders = inside.findings.filter(({ name }) => name.startsWith("folder"));
  expect(folders.map(({ state }) => state)).toEqual(["ok", "problem"]);
  const onFile = await examine({ ASSAY_DATA: join(parent, "file") }, parent);
  expect(onFile.states).toMatchObject({ folder: "problem", "data folder": "problem" });
});

it("names an inaccessible folder, and a read-only data folder", async () => {
  const jobs = makeJobs();
  const parent = makeParent();
  // Closed to all users, including root.
  symlinkSync("loop", join(parent, "loop"));
  const { code, findings } = await examine({ ASSAY_DATA: parent }, join(parent, "loop", "jobs"), jobs);
  expect(code).toBe(1);
  expect(findings.filter(({ name }) => name.startsWith("folder"))).toMatchObject([
    { state: "problem", detail: "cannot be read" },
    { state: "ok" },
  ]);
  writeFileSync(join(parent, "file"), "");
  for (const data of [join(parent, "file"), "/proc/nothing"]) {
    const { states, findings: said } = await examine({}, jobs, "--data", data);
    expect(states, data).toMatchObject({ "data folder": "problem", judgments: "problem" });
    expect(states, data).not.toHaveProperty("space");
    const remedies = said.map(({ remedy }) => remedy).join();
    expect(remedies).toContain("--data");
    expect(remedies).not.toMatch(/ASSAY_DATA|DATABASE_URL/);
  }
});

it("finds no problem in another tool's folder next to jobs, only a note", async () => {
  const jobs = makeFolder({
    ...jobFiles("run", { alpha__aaaaaaa: 1 }),
    // As Terminal-Bench 1 wrote them.
    "other/t/t.1-of-1/results.json": {
      trial_name: "t.1-of-1",
      task_id: "t",
      is_resolved: true,
      parser_results: {},
    },
  });
  const { code, states } = await examine({ ASSAY_DATA: makeParent() }, jobs);
  expect({ code, folder: states["folder"] }).toEqual({ code: 0, folder: "ok" });
});

it("tells judgments that cannot be read from those that can", async () => {
  const data = makeParent();
  writeFileSync(
    join(data, "annotations.sqlite"),
    "no database at all, and longer than its header would be".repeat(9),
  );
  const { code, states } = await examine({ ASSAY_DATA: data }, makeJobs());
  expect(code).toBe(1);
  expect(states).toMatchObject({ folder: "ok", judgments: "problem" });
});

async function askServer(url: string, ...statements: readonly string[]) {
  const client = new Client({ connectionString: url });
  await client.connect();
  let rows: readonly unknown[] = [];
  for (const statement of statements) ({ rows } = await client.query<object>(statement));
  await client.end();
  return rows;
}

it("checks a real PostgreSQL, and one that is down, without creating anything", async () => {
  const { url } = await freshPostgres();
  const asked = await examine({ ASSAY_DATA: makeParent(), DATABASE_URL: url }, makeJobs());
  expect(asked.findings.find(({ detail }) => /^PostgreSQL \d/.test(detail))?.state).toBe("ok");
  expect(asked.states).toMatchObject({ database: "ok" });
  const made = await askServer(url, "select 1 from pg_namespace where nspname like 'assay%'");
  expect(made).toEqual([]);
  const silent = new URL(url);
  silent.searchParams.set("host", dirname(makeParent()));
  const failed = await examine({ ASSAY_DATA: makeParent(), DATABASE_URL: silent.href }, makeJobs());
  expect(failed.code).toBe(1);
  expect(failed.findings.at(-1)).toMatchObject({ state: "problem" });
});

it("rejects a database where the next index cannot create its schema", async () => {
  const { url } = await freshPostgres();
  const role = `weak_${randomUUID().slice(0, 8)}`;
  await askServer(url, `create role ${role} login`, "create schema assay");
  onTestFinished(async () => void (await askServer(url, `drop role ${role}`)));
  const weak = new URL(url);
  weak.username = role;
  const { code, states } = await examine({ ASSAY_DATA: makeParent(), DATABASE_URL: weak.href }, makeJobs());
  expect([code, states["database"]]).toEqual([1, "problem"]);
});

it("does not look for PostgreSQL at the address of another kind of database", async () => {
  const { code, findings } = await examine(
    { ASSAY_DATA: makeParent(), DATABASE_URL: "mysql://database.invalid/assay" },
    makeJobs(),
  );
  expect([code, findings.at(-1)?.state]).toEqual([1, "problem"]);
  expect(findings.at(-1)?.detail).toContain("postgres://");
  expect(findings.at(-1)?.remedy).not.toContain("ASSAY_DATA");
});

it("reports a server that disconnects", async () => {
  const welcome = Buffer.from([...[0x52, 0, 0, 0, 8, 0, 0, 0, 0], ...[0x5a, 0, 0, 0, 5, 0x49]]);
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write(welcome);
      socket.once("data", () => socket.destroy());
    });
  });
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  const { code, findings } = await examine(
    { ASSAY_DATA: makeParent(), DATABASE_URL: `postgres://somebody@127.0.0.1:${port}/any` },
    makeJobs(),
  );
  expect([code, findings.at(-1)?.state]).toEqual([1, "problem"]);
});

it("checks the sign-in provider, and distinguishes one that is down from wrong settings", async () => {
  const provider = await startOidcProvider({});
  onTestFinished(() => provider.close());
  const probe = async (more: Readonly<Record<string, string>> = {}) => {
    const env = { ASSAY_DATA: makeParent(), ...provider.environment, ...more };
    const { code, findings } = await examine(env, makeJobs());
    expect(JSON.stringify(findings)).not.toContain(provider.environment["ASSAY_OIDC_CLIENT_SECRET"]);
    return [code, findings.at(-1)?.detail];
  };
  expect(await probe()).toEqual([0, "Example Login answers"]);
  expect(await probe({ ASSAY_OIDC_ROLES: "owner=all" })).toEqual([
    1,
    expect.stringMatching(/^ASSAY_OIDC_ROLES /),
  ]);
  const elsewhere = `${provider.issuer}/elsewhere`;
  expect(await probe({ ASSAY_OIDC_ISSUER: elsewhere })).toEqual([1, expect.stringContaining(elsewhere)]);
  await provider.close();
  expect(await probe()).toEqual([1, expect.stringMatching(/^Example Login does not answer/)]);
});
