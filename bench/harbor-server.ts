import { Agent, createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

import { type Child, startChild } from "./child.ts";
import type { DataSet } from "./data-set.ts";
import type { Harbor } from "./harbor-install.ts";
import { readText, requestPage } from "./load.ts";

/** Browsers keep this many connections to one server. */
const BROWSER_CONNECTIONS = 6;
const START_TIMEOUT_MS = 120_000;

/** A running `harbor view`. */
export interface HarborServer {
  readonly url: string;
  readonly child: Child;
  /** Whether this version lists all trials of a job for the arrows of the trial page, a hundred at a time. */
  readonly pagesThroughTrials: boolean;
}

/** The requests of one page: the groups follow each other, those of a group are sent at once. */
interface HarborPage {
  readonly groups: readonly (readonly string[])[];
  /** Requests that fill what was asked for; the others come later and fill the arrows to the next trial. */
  readonly isContent: (path: string) => boolean;
}

/** Harbor takes the number of a port, and no 0. */
function findFreePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => settle(port));
    });
  });
}

/**
 * Starts `harbor view` on a data set and waits until it answers.
 *
 * @throws Error when it does not within two minutes
 */
export async function startHarbor(harbor: Harbor, set: DataSet): Promise<HarborServer> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const args = ["view", set.folder, "--port", String(port), "--jobs", "--no-build"];
  const child = startChild(harbor.program, args);
  try {
    await waitForHealth(url, child);
    const routes = readText(await requestPage(new URL("/openapi.json", url)));
    return { url, child, pagesThroughTrials: !routes.includes("/navigation") };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

async function waitForHealth(url: string, child: Child): Promise<void> {
  const giveUpAt = performance.now() + START_TIMEOUT_MS;
  while (child.process.exitCode === null && performance.now() < giveUpAt) {
    const answer = await requestPage(new URL("/api/health", url), { timeoutMs: 5_000 }).catch(() => null);
    if (answer?.status === 200) return;
    await wait(200);
  }
  throw new Error("harbor view did not answer");
}

/** What harbor's pages ask their server for, as its two generations of pages do; sign-in and prices are left out. */
export function listHarborPages(
  server: HarborServer,
  job: string,
  trial: string,
  trialsInJob: number,
): Readonly<Record<"jobs list" | "job" | "trial", HarborPage>> {
  const at = `/api/jobs/${job}`;
  const own = `${at}/trials/${trial}`;
  const everything = (): boolean => true;
  const jobsList = { groups: [["/api/config"], ["/api/jobs/filters", JOBS]], isContent: everything };
  if (!server.pagesThroughTrials) {
    const parts = ["recording", "trajectory", "navigation", "agent-logs"];
    const files = ["config.json", "lock.json", "exception.txt"];
    const details = [...parts, ...files.map((file) => `files/${file}`)].map((part) => `${own}/${part}`);
    return {
      "jobs list": jobsList,
      job: {
        groups: [["/api/config", at, `/api/run/${job}/status`, `${at}/chart-trials`]],
        isContent: everything,
      },
      trial: {
        groups: [
          ["/api/config", own],
          [JOBS, ...details],
        ],
        isContent: (path) => !path.endsWith("/navigation"),
      },
    };
  }
  const parts = [
    "agent-logs",
    "trajectory",
    "verifier-output",
    "artifacts",
    "files/trial.log",
    "files/exception.txt",
  ];
  const list = (page: number): string => `${at}/trials?page=${page}&page_size=100`;
  const pages = Array.from({ length: Math.ceil(trialsInJob / 100) }, (_, place) => list(place + 1));
  return {
    "jobs list": jobsList,
    job: {
      groups: [
        [`${at}/summary`, at, `${at}/tasks/filters`, `${at}/tasks?page=1&page_size=100&sort_order=asc`],
      ],
      isContent: everything,
    },
    trial: {
      groups: [[own], [...parts.map((part) => `${own}/${part}`), ...pages.slice(0, 1)], pages.slice(1)],
      isContent: (path) => !path.includes("/trials?"),
    },
  };
}

const JOBS = "/api/jobs?page=1&page_size=100";

/** Times of one load of a page, in milliseconds. */
export interface HarborLoad {
  /** Until what was asked for has come. */
  readonly contentMs: number;
  /** Until the last request is answered. */
  readonly allMs: number;
}

/**
 * Asks for everything a page asks for, as a browser would.
 *
 * @throws Error when the server fails or takes longer than `timeoutMs`; a part that a trial does not have is no failure
 */
export async function loadHarborPage(url: string, page: HarborPage, timeoutMs: number): Promise<HarborLoad> {
  const agent = new Agent({ keepAlive: true, maxSockets: BROWSER_CONNECTIONS });
  const startedAt = performance.now();
  let contentMs = 0;
  try {
    for (const group of page.groups) {
      await Promise.all(
        group.map(async (path) => {
          const left = timeoutMs - (performance.now() - startedAt);
          const { status } = await requestPage(new URL(path, url), { agent, timeoutMs: Math.max(1, left) });
          if (status !== 200 && status !== 404) throw new Error(`${path} answered ${status}`);
          if (page.isContent(path)) contentMs = performance.now() - startedAt;
        }),
      );
    }
    return { contentMs, allMs: performance.now() - startedAt };
  } finally {
    agent.destroy();
  }
}
