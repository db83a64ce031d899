import { get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

import { listPageKinds, type PageKind } from "./addresses.ts";
import { type AssayServer, startAssay } from "./assay.ts";
import { readMemory } from "./child.ts";
import type { DataSet } from "./data-set.ts";
import { requestPage } from "./load.ts";
import { prepareIndexes } from "./measure-index.ts";
import type { PartResult } from "./report.ts";
import { computeLatency, formatFigure, formatMegabytes } from "./samples.ts";

const READERS = 20;
const STREAMS = 20;
const SECONDS = 120;
const MEMORY_EVERY_MS = 1_000;
/** Number of trial pages among ten opened pages. */
const TRIALS_OF_TEN = 7;

interface Round {
  readonly trialMs: number[];
  readonly otherMs: number[];
  /** Of the program and all its processes, every second. */
  readonly memory: number[];
  readonly failures: string[];
}

/** Many readers at once with as many open streams of events, for two minutes: waiting times, errors, memory. */
export async function measureLoad(sets: readonly DataSet[]): Promise<PartResult> {
  const failures = (await prepareIndexes(sets)).map((reason) => `index of ${reason}`);
  const rounds: { readonly set: DataSet; readonly round: Round }[] = [];
  for (const set of sets) {
    const server = await startAssay(set);
    try {
      const round = await runRound(set, server);
      rounds.push({ set, round });
      failures.push(...round.failures.slice(0, 10).map((failure) => `${set.label}: ${failure}`));
    } finally {
      await server.child.stop();
    }
  }
  return {
    tables: [
      {
        title: "Under load",
        notes: [
          `${READERS} readers without a pause, ${TRIALS_OF_TEN} of 10 pages trials, with ${STREAMS} open streams, ${SECONDS} s.`,
          "Milliseconds to the last byte. Memory of the program with its processes at the middle, at the end and at its most.",
        ],
        columns: [
          "trials",
          "pages",
          "errors",
          "trial p50",
          "p95",
          "others p50",
          "p95",
          "MB half",
          "end",
          "most",
        ],
        rows: rounds.map(({ set, round }) => formatRound(set, round)),
      },
    ],
    raw: rounds.map(({ set, round }) => ({ set: set.label, ...round })),
    failures,
  };
}

async function runRound(set: DataSet, server: AssayServer): Promise<Round> {
  const round: Round = { trialMs: [], otherMs: [], memory: [], failures: [] };
  const kinds = listPageKinds(set).filter(({ name }) => name !== "trials list");
  const trial = kinds.find(({ name }) => name === "trial");
  const others = kinds.filter((kind) => kind !== trial);
  const streams = Array.from({ length: STREAMS }, () => openStream(server.url, round));
  const until = performance.now() + SECONDS * 1000;
  let n = 0;
  const read = async (): Promise<void> => {
    while (performance.now() < until) {
      const index = n++;
      const isTrial = index % 10 < TRIALS_OF_TEN;
      const kind: PageKind | undefined = isTrial ? trial : others[index % others.length];
      const path = kind?.distinct(index) ?? "/";
      try {
        const { status, totalMs } = await requestPage(new URL(path, server.url));
        (isTrial ? round.trialMs : round.otherMs).push(totalMs);
        if (status !== 200) round.failures.push(`${path}: status ${status}`);
      } catch (error) {
        round.failures.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  const watch = async (): Promise<void> => {
    while (performance.now() < until) {
      const { pid } = server.child.process;
      const bytes = pid === undefined ? null : readMemory(pid);
      if (bytes !== null) round.memory.push(bytes);
      await wait(MEMORY_EVERY_MS);
    }
  };
  await Promise.all([watch(), ...Array.from({ length: READERS }, read)]);
  for (const close of streams) close();
  return round;
}

/** @returns what closes it */
function openStream(base: string, round: Round): () => void {
  let isOpen = true;
  const fail = (reason: string) => {
    if (isOpen) round.failures.push(`a stream: ${reason}`);
  };
  const request = get(new URL("/api/events", base), { agent: false }, (response) => {
    if (response.statusCode !== 200) fail(`status ${response.statusCode}`);
    response.on("end", () => fail("it ended"));
    response.on("error", () => undefined);
    response.resume();
  });
  request.on("error", ({ message }) => fail(message));
  return () => {
    isOpen = false;
    request.destroy();
  };
}

function formatRound({ label }: DataSet, { trialMs, otherMs, memory, failures }: Round): string[] {
  const [trials, others] = [computeLatency(trialMs), computeLatency(otherMs)];
  const format = (value: number | undefined) => (value === undefined ? "—" : formatFigure(value));
  const marks = [memory[Math.floor(memory.length / 2)], memory.at(-1), Math.max(...memory)];
  return [
    label,
    String(trialMs.length + otherMs.length),
    String(failures.length),
    ...[trials?.p50, trials?.p95, others?.p50, others?.p95].map(format),
    ...marks.map((bytes) => (bytes === undefined ? "—" : formatMegabytes(bytes))),
  ];
}
