import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import type { Page } from "@playwright/test";

import { API_ENDPOINTS } from "../lib/core/domain/api-endpoints";
import { IS_LONG_RUN } from "../lib/testing/plan-runs";
import { addAccount, signIn } from "./fixtures/accounts";
import { act } from "./fixtures/actions";
import { expect, test, withFewJobs } from "./fixtures/app";
import { listEachPage, PAGES } from "./fixtures/pages";
import { linkSamples } from "./fixtures/read-samples";
import { readFailedTrials } from "./fixtures/recorded-trials";
import { ROUTES } from "./fixtures/routes";

const APP = join(import.meta.dirname, "..", "app");
const JOB = "tb2-orca-next";
/** A mark in every name and text of the hidden folder, and nowhere else. */
const MARK = "zebra";

/** A copy of a visible job, with its ids. */
const COPY = `${MARK}-copy`;

/**
 * The samples with the mark in names of jobs, tasks, trials, agents, models, datasets and exceptions, with other ids, and an
 * unchanged copy.
 */
function makeHidden(parent: string): string {
  const samples = join(parent, "samples");
  const folder = join(parent, `${MARK}-folder`);
  linkSamples(tmpdir(), [JOB], samples);
  const marked = (text: string) =>
    text
      .replaceAll(/orca|meridian/g, `${MARK}$&`)
      .replaceAll(/terminal-mix/g, `${MARK}-mix`)
      .replaceAll(/\b(?=[a-z][\w-]*__\w{7}\b)/g, `${MARK}-`)
      .replaceAll(/("task_name": ?")/g, `$1${MARK}-`)
      .replaceAll(/("exception_type": ?")/g, `$1${MARK}`)
      .replaceAll(/\b[0-9a-f](?=[0-9a-f]{7}-[0-9a-f]{4}-)/g, (digit) =>
        (15 - parseInt(digit, 16)).toString(16),
      );
  for (const path of readdirSync(samples, { recursive: true, encoding: "utf8" })) {
    const from = join(samples, path);
    const content = readFileOrNull(from);
    if (content === null) continue;
    const to = join(folder, marked(path));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, marked(content));
  }
  cpSync(join(samples, JOB), join(folder, COPY), { recursive: true });
  rmSync(samples, { recursive: true });
  return folder;
}

function readFileOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** All texts of a response; for a stream, its first events. */
async function readAnswer(page: Page, address: string): Promise<string> {
  return page.evaluate(async (path) => {
    const stop = new AbortController();
    const answer = await fetch(path, { signal: stop.signal, redirect: "manual" });
    const headers = [...answer.headers].flat().join("\n");
    if (!(answer.headers.get("content-type") ?? "").includes("event-stream"))
      return `${String(answer.status)}\n${headers}\n${await answer.text()}`;
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    // In one or more chunks; waiting for another may last until the next heartbeat.
    while (!/^data: .*\n\n/mu.test(text)) {
      const piece = await reader?.read();
      if (piece?.value === undefined) break;
      text += piece.value;
    }
    stop.abort();
    return `${String(answer.status)}\n${headers}\n${text}`;
  }, address);
}

/** One URL of each of {@link ROUTES}, or all of them in a long run. */
function listEachRoute(job: string, trial: string): readonly string[] {
  return Object.values(ROUTES).flatMap((list) => list(job, trial).slice(0, IS_LONG_RUN ? undefined : 1));
}

async function open(page: Page, url: string, name: string, password: string | undefined): Promise<void> {
  await page.goto(`${url}/account`);
  await signIn(page, name, password ?? "");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
}

/** Matches of a pattern in a response. */
function find(pattern: RegExp, answer: string): string {
  const found = pattern.exec(answer)?.[1];
  if (found === undefined) throw new Error(`nothing fits ${String(pattern)}`);
  return found;
}

/** The first failed trial of a job. */
function findTrial(folder: string, job: string) {
  const [trial] = readFailedTrials(folder, job);
  if (trial === undefined) throw new Error(`${job} has no failed trial`);
  return trial;
}

/** URLs whose response contains the mark. */
async function findLeaks(page: Page, addresses: readonly string[]): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const address of addresses)
    if ((await readAnswer(page, address)).toLowerCase().includes(MARK)) leaks.push(address);
  return leaks;
}

/** Maps texts about hidden things to texts about things that never existed. */
function asDecoy(text: string): string {
  return text.replaceAll(MARK, "quagga");
}

/** URLs whose response differs from that for things that never existed. */
async function findDiffering(page: Page, addresses: readonly string[]): Promise<readonly string[]> {
  const differing: string[] = [];
  for (const address of addresses) {
    const answer = normalise(await readAnswer(page, address));
    if (asDecoy(answer) !== normalise(await readAnswer(page, asDecoy(address)))) differing.push(address);
  }
  return differing;
}

test("every route is requested below", () => {
  const found = globSync("**/route.ts", { cwd: APP }).map(dirname);
  const others = found.filter((route) => route !== "api/v1/[...path]");
  const ofApi = [...Object.keys(API_ENDPOINTS), "/api/v1/openapi.json"].map((path) => path.slice(1));
  expect(Object.keys(ROUTES).toSorted()).toEqual([...others, ...ofApi].toSorted());
});

test("a folder hidden from a role is in no response, and complete for roles that see it", async ({
  page,
  browser,
}) => {
  test.setTimeout(900_000);
  const parent = mkdtempSync(join(tmpdir(), "hidden-"));
  const folder = makeHidden(parent);
  const hiddenJob = `tb2-${MARK}orca-next`;
  const passwords = new Map<string, string>();
  await withFewJobs(
    async ({ url, jobsFolder }) => {
      const hiddenTrial = findTrial(folder, hiddenJob);
      const shownTrial = findTrial(jobsFolder, JOB);
      await open(page, url, "Ada Example", passwords.get("Ada Example"));
      // Everything is read before anything is compared.
      await expect(async () => {
        expect(await readAnswer(page, "/api/events")).toContain('"phase":"current"');
        expect(await readAnswer(page, "/api/search?q=zebra")).toContain(hiddenJob);
      }).toPass({ timeout: 120_000 });

      const group = find(/"([^"/:]*orca__[^"/:]*)"/, await readAnswer(page, `/api/v1/jobs/${hiddenJob}`));
      const target = { kind: "trial", jobKey: hiddenJob, trialKey: hiddenTrial.name, list: null };
      const draft = {
        reviewerId: "Ada Example",
        reviewerDiscipline: null,
        judgment: "pass",
        categories: [],
        notes: `${MARK} note`,
        confidence: null,
        evidence: [],
      };
      const said = [
        await act(page.request, url, "saveReview", {
          target,
          draft,
          baseVersionId: null,
          saveId: null,
          seen: { outcome: "failed", reward: "0.0" },
          thenNext: false,
        }),
        await act(page.request, url, "saveViewAction", {
          name: `${MARK} view`,
          href: `/jobs/${hiddenJob}?q=x`,
          createdBy: "Ada Example",
        }),
        await act(page.request, url, "saveViewAction", {
          name: "By task",
          href: `/trials?task=${encodeURIComponent(hiddenTrial.task)}`,
          createdBy: "Ada Example",
        }),
        await act(page.request, url, "saveViewAction", {
          name: "Open view",
          href: `/jobs/${JOB}?tab=trials`,
          createdBy: "Ada Example",
        }),
        await act(page.request, url, "saveRunSetAction", {
          name: `${MARK} runs`,
          refs: [`${hiddenJob}:${group}`],
          kind: "together",
          rule: null,
          createdBy: "Ada Example",
        }),
        await act(page.request, url, "makeQueueAction", {
          source: { job: hiddenJob, list: null, picks: [], judgments: [], judged: null },
          ...{ method: "random", size: 3, seed: 1, order: "random", doubleShare: 0 },
          ...{ name: `${MARK} queue`, goal: "agreement", reviewers: [], hides: [], isOpenCoding: false },
        }),
        await act(page.request, url, "answerSuggestionAction", {
          target,
          suggester: "rule:agent-timeout",
          version: "1",
          answer: "rejected",
        }),
      ];
      const onCopy = { ...target, jobKey: COPY, trialKey: shownTrial.name };
      const saidOnCopy = await act(page.request, url, "saveReview", {
        ...{ target: onCopy, draft, baseVersionId: null, saveId: null, thenNext: false },
        seen: { outcome: "failed", reward: "0.0" },
      });
      for (const answer of [saidOnCopy, ...said.slice(0, 6)])
        expect.soft(answer).toMatch(/"status":"(?:saved|done)"|"href":"\/annotations\/queues\//);
      const clusters = await readAnswer(page, `/errors?job=${hiddenJob}`);
      const key = find(/\/errors\/clusters\/([\da-f]{16})/, clusters);
      await act(page.request, url, "nameClusterAction", { key, name: `${MARK} cluster`, base: 0 });

      const queue = find(
        /annotations\/queues\/([\da-f-]{36})/,
        await readAnswer(page, "/annotations/queues"),
      );
      const addresses = [
        ...new Set([
          ...listEachPage(JOB, shownTrial.name),
          ...listEachRoute(JOB, shownTrial.name),
          ...NAMING,
        ]),
        ...["/annotations/queues/", "/annotations/export?queue="].map((before) => before + queue),
        `/annotations/queues/${queue}/items/1`,
        `/errors/clusters/${key}`,
        "/errors/taxonomy?tab=categories",
      ].filter((address) => !/^\/(?:sign-in|invitation)/.test(address));

      await page.goto(`${url}/accounts`);
      const choice = page.getByLabel(`Visibility of ${folder}`);
      await choice.selectOption("reviewer");
      await expect(page.getByText(`${folder} is now seen by reviewers and above.`)).toBeVisible();
      await expect(choice).toHaveValue("reviewer");
      // The page accepts no other change until the response arrives.
      await expect(page.getByRole("button", { name: "Undo" })).toBeEnabled();
      await page.getByRole("button", { name: "Undo" }).press("Enter");
      await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
      await expect(choice).toHaveValue("viewer");
      await expect(choice).toBeEnabled();
      const seen = new Map<string, string>();
      // A long run also checks the other URLs for allowed roles.
      for (const address of IS_LONG_RUN ? addresses : NAMING)
        seen.set(address, await readAnswer(page, address));
      await choice.selectOption("adjudicator");
      await expect(choice).toHaveValue("adjudicator");
      await expect(page.getByText(`${folder} is now seen by adjudicators and admins.`)).toBeVisible();
      expect(await readAnswer(page, "/accounts/audit.csv")).toContain(`${folder}: viewer → adjudicator`);
      // Pages of all jobs, and the frame of all pages, name it for allowed roles.
      const named = [...seen].filter(([, answer]) => answer.includes(MARK)).map(([address]) => address);
      for (const address of NAMING) expect.soft(named, address).toContain(address);
      for (const list of Object.values(PAGES)) {
        const own = list(JOB, shownTrial.name).filter((address) => seen.has(address));
        expect
          .soft(own.length === 0 || own.some((address) => named.includes(address)), own.join())
          .toBe(true);
      }

      for (const name of ["Vic Viewer", "Rae Reviewer"]) {
        const context = await browser.newContext();
        const other = await context.newPage();
        await open(other, url, name, passwords.get(name));
        const isViewer = name === "Vic Viewer";
        expect.soft(await findLeaks(other, isViewer ? addresses : NAMING)).toEqual([]);
        expect(await readAnswer(other, "/views")).toContain("Open view");
        const ofHidden = [
          ...listEachPage(hiddenJob, hiddenTrial.name),
          ...listEachRoute(hiddenJob, hiddenTrial.name),
        ].filter((address) => address.includes(MARK));
        expect.soft(await findDiffering(other, isViewer ? ofHidden : [])).toEqual([]);
        const judge = async (of: typeof target) =>
          normalise(
            await act(other.request, url, "saveReview", {
              ...{ target: of, draft: { ...draft, reviewerId: name }, baseVersionId: null, saveId: null },
              ...{ seen: { outcome: "failed", reward: "0.0" }, thenNext: false },
            }),
          );
        const decoy = JSON.parse(asDecoy(JSON.stringify(target))) as typeof target;
        expect.soft(asDecoy(await judge(target))).toBe(await judge(decoy));
        await context.close();
      }
      // Allowed roles still have access.
      expect(await readAnswer(page, "/jobs.csv")).toContain(hiddenJob);
    },
    (folders) => {
      for (const [name, role] of [
        ["Ada Example", "admin"],
        ["Vic Viewer", "viewer"],
        ["Rae Reviewer", "reviewer"],
      ] as const)
        passwords.set(name, addAccount(folders, name, role));
    },
    { options: [folder] },
  );
  rmSync(parent, { recursive: true, force: true });
});

/** URLs that list all open folders. */
const NAMING = [
  "/",
  "/jobs.csv",
  "/jobs.json",
  "/trials",
  "/trials.csv",
  "/trials.json",
  "/api/v1/jobs",
  "/api/search?q=",
  "/api/search?q=e",
  "/annotations",
  "/annotations/export",
  "/annotations/queues",
  "/views",
  "/datasets",
  "/errors",
];

/** Status, type and content of a response, without nonces, times and scripts, whose chunks vary. */
function normalise(answer: string): string {
  return answer
    .replaceAll(/<script[\s\S]*?<\/script>/g, "")
    .replaceAll(/nonce(?:-|=|":|\\":)[^\s;'>,]*/g, "nonce")
    .replaceAll(
      /^(?:date|content-length|etag|link|x-nextjs-[\w-]+|content-security-policy|server-timing)[^\n]*\n[^\n]*$/gim,
      "",
    );
}
