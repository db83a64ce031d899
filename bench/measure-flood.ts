import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { z } from "zod";

import { findProjectRoot } from "../lib/read/processes/project-root.ts";
import { type AssayServer, startAssay } from "./assay.ts";
import { type DataSet, listTrials } from "./data-set.ts";
import { prepareIndexes } from "./measure-index.ts";
import type { PartResult } from "./report.ts";
import { computeLatency, formatFigure } from "./samples.ts";

/** Connections that ask for one address without a pause. */
const CONNECTIONS = 24;
const SLOW_CLIENTS = 1_500;
const SECONDS = 20;
/** Pause of the reader between two requests. */
const PAUSE_MS = 100;
/** Pause of a flooding connection after a refusal, which ignores Retry-After. */
const IMPATIENT_MS = 50;

const LISTS = ["/trials.parquet", "/trials.csv", "/trials?q=t", "/errors"];
const NOTHING = "nothing";
const ALL = "all of them at once";
const SLOW = `${SLOW_CLIENTS} slow clients`;

interface Asked {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

interface Flood {
  readonly name: string;
  readonly help: number[];
  readonly job: number[];
  readonly save: number[];
  /** Answers to the flood by status; 0 for none. */
  readonly answers: Map<number, number>;
}

/** Measures the response times of one reader during each flood, and without one, on the same server. */
export async function measureFlood(sets: readonly DataSet[]): Promise<PartResult> {
  const failures = (await prepareIndexes(sets)).map((reason) => `index of ${reason}`);
  const rounds: { readonly label: string; readonly flood: Flood }[] = [];
  for (const set of sets) {
    const server = await startAssay(set);
    try {
      for (const name of [NOTHING, ...LISTS, ALL, SLOW]) {
        const flood = await runFlood(set, server, name, failures);
        rounds.push({ label: set.label, flood });
      }
    } finally {
      await server.child.stop();
    }
  }
  return {
    tables: [
      {
        title: "Under a flood",
        notes: [
          `${CONNECTIONS} connections that ask for one address without a pause for ${SECONDS} s, and one reader of the same machine who opens help, then a job, then saves a judgment, and begins again.`,
          "Milliseconds to the last byte: half of them, the 95th percentile and the most.",
        ],
        columns: ["trials", "flood", "help", "job page", "save", "answers to the flood"],
        rows: rounds.map(({ label, flood }) => formatFlood(label, flood)),
      },
    ],
    raw: rounds.map(({ label, flood }) => ({ set: label, ...flood, answers: [...flood.answers] })),
    failures,
  };
}

async function runFlood(set: DataSet, server: AssayServer, name: string, failures: string[]): Promise<Flood> {
  const flood: Flood = { name, help: [], job: [], save: [], answers: new Map() };
  const stop = new AbortController();
  const paths = name === ALL ? LISTS : LISTS.filter((path) => path === name);
  const floods = paths.map((path) => floodWith(server.url, path, flood, stop.signal));
  if (name === SLOW) floods.push(holdSlowly(server.url, stop.signal));
  // Until all of them are there.
  await wait(1_000);
  const agent = new Agent({ keepAlive: true });
  const until = performance.now() + SECONDS * 1000;
  const job = `/jobs/${set.jobs[0] ?? ""}`;
  while (performance.now() < until) {
    for (const [times, work] of [
      [flood.help, () => ask(server.url, "/help", agent)],
      [flood.job, () => ask(server.url, job, agent)],
      [flood.save, () => save(server.url, set, agent)],
    ] as const) {
      const { status, ms } = await work();
      times.push(ms);
      if (status !== 200) failures.push(`${set.label}, ${name}: status ${status}`);
      await wait(PAUSE_MS);
    }
  }
  stop.abort();
  agent.destroy();
  await Promise.all(floods);
  return flood;
}

async function floodWith(base: string, path: string, { answers }: Flood, stop: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  stop.addEventListener("abort", () => agent.destroy());
  const askOn = async (): Promise<void> => {
    while (!stop.aborted) {
      const { status } = await ask(base, path, agent);
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (status !== 200) await wait(IMPATIENT_MS);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, askOn));
}

/** Opens connections that send one header byte a second, and replaces those that the server closes. */
async function holdSlowly(base: string, stop: AbortSignal): Promise<void> {
  const { port } = new URL(base);
  const hold = async (): Promise<void> => {
    let socket = openSlowly(Number(port));
    while (!stop.aborted) {
      await wait(1_000);
      if (socket.writable) socket.write("x");
      else socket = openSlowly(Number(port));
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: SLOW_CLIENTS }, hold));
}

function openSlowly(port: number): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nX: ");
  return socket;
}

let nSaved = 0;

/** Saves a judgment as the form of a trial's page does. */
async function save(base: string, set: DataSet, agent: Agent): Promise<Asked> {
  const job = set.jobs[0] ?? "";
  const trials = listTrials(set, job);
  const trial = trials[nSaved++ % trials.length] ?? "";
  const draft = {
    ...{ reviewerId: `Bench ${randomUUID()}`, reviewerDiscipline: null, judgment: "fail", notes: null },
    ...{ categories: [], confidence: null, evidence: [] },
  };
  const target = { kind: "trial", jobKey: job, trialKey: trial, list: null };
  const rest = { baseVersionId: null, saveId: null, seen: null, thenNext: false };
  const headers = { "next-action": readSaveAction(), "content-type": "text/plain", origin: base };
  const body = JSON.stringify([{ target, draft, ...rest }]);
  const asked = await ask(base, `/jobs/${job}/trials/${trial}`, agent, { headers, body });
  return asked.text.includes('"status":"saved"') ? asked : { ...asked, status: 0 };
}

function readSaveAction(): string {
  const file = join(findProjectRoot(), ".next", "server", "server-reference-manifest.json");
  const { node } = z
    .object({ node: z.record(z.string(), z.object({ exportedName: z.string() })) })
    .parse(JSON.parse(readFileSync(file, "utf8")));
  return Object.entries(node).find(([, { exportedName }]) => exportedName === "saveReview")?.[0] ?? "";
}

/** Asks and reads to the last byte; status 0 where the connection ends before. */
function ask(
  base: string,
  path: string,
  agent: Agent,
  change?: { readonly headers: Record<string, string>; readonly body: string },
): Promise<Asked> {
  return new Promise((settle) => {
    const sentAt = performance.now();
    const end = (status: number, text = ""): void => settle({ status, ms: performance.now() - sentAt, text });
    const method = change === undefined ? "GET" : "POST";
    const headers = change?.headers ?? { accept: "text/html", "accept-encoding": "gzip" };
    const sent = request(new URL(path, base), { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => change !== undefined && chunks.push(chunk));
      response.on("close", () =>
        end(response.complete ? (response.statusCode ?? 0) : 0, Buffer.concat(chunks).toString()),
      );
      response.on("error", () => undefined);
    });
    sent.on("error", () => end(0));
    sent.end(change?.body);
  });
}

function formatFlood(label: string, { name, help, job, save: saves, answers }: Flood): string[] {
  const format = (times: readonly number[]): string => {
    const latency = computeLatency(times);
    return latency === null ? "—" : [latency.p50, latency.p95, latency.max].map(formatFigure).join(", ");
  };
  const sent = [...answers].map(([status, n]) => `${n} × ${status === 0 ? "cut off" : status}`);
  return [label, name, format(help), format(job), format(saves), sent.join(", ") || "—"];
}
