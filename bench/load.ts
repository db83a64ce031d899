// autocannon, the usual tool, knows neither the time to the first byte nor the 95th percentile, and follows one address
// at a time or a fixed list; this loop asks the same way and keeps every single time.

import { Agent, request } from "node:http";
import { gunzipSync } from "node:zlib";

/** One answered request, times in milliseconds from sending it. */
export interface Answer {
  readonly status: number;
  readonly firstByteMs: number;
  readonly totalMs: number;
  readonly bytes: number;
  readonly body: Buffer;
}

/** A series of requests over some connections. */
export interface Series {
  readonly firstByteMs: readonly number[];
  readonly totalMs: readonly number[];
  readonly bytes: number;
  /** Whole series, so that pages a second can be told. */
  readonly seconds: number;
  /** Sentences about requests that were not answered with 200 and a whole page. */
  readonly failures: readonly string[];
}

interface RequestOptions {
  readonly agent?: Agent;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 120_000;
/** A series ends after this time with what it has, so that one slow page does not take all of a night. */
export const SERIES_SECONDS = 20;

/** Asks for one address as a browser does, compressed, and reads it to the last byte. */
export function requestPage(url: URL, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((settle, reject) => {
    const sentAt = performance.now();
    const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    const headers = { "accept-encoding": "gzip", accept: "text/html,application/json" };
    const sent = request(url, { headers, ...(options.agent === undefined ? {} : { agent: options.agent }) });
    // Of the whole answer: a server that trickles must not hold the harness.
    const timer = setTimeout(() => sent.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)), timeoutMs);
    sent.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sent.on("response", (response) => {
      let firstByteMs: number | null = null;
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => {
        firstByteMs ??= performance.now() - sentAt;
        chunks.push(chunk);
      });
      response.on("error", reject);
      response.on("end", () => {
        clearTimeout(timer);
        const totalMs = performance.now() - sentAt;
        const body = Buffer.concat(chunks);
        const status = response.statusCode ?? 0;
        settle({ status, firstByteMs: firstByteMs ?? totalMs, totalMs, bytes: body.length, body });
      });
    });
    sent.end();
  });
}

/** The text of an answer. */
export function readText({ body }: Answer): string {
  const isCompressed = body[0] === 0x1f && body[1] === 0x8b;
  return (isCompressed ? gunzipSync(body) : body).toString("utf8");
}

/** Problem with a page that came; null when it is whole. An error inside a streamed page still has status 200. */
function findFault(answer: Answer): string | null {
  if (answer.status !== 200) return `status ${answer.status}`;
  const text = readText(answer);
  if (!text.includes("</html>")) return "cut off";
  // What only the browser draws, as the layer over a chart, has no digest or one that says so.
  return /data-dgst="(?!"|BAILOUT)/.test(text) ? "an error inside the page" : null;
}

/** Requests every address once over the given number of kept connections, and stops after {@link SERIES_SECONDS}. */
export async function runSeries(
  base: string,
  paths: readonly string[],
  connections: number,
): Promise<Series> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const firstByteMs: number[] = [];
  const totalMs: number[] = [];
  const failures: string[] = [];
  const queue = paths.values();
  let bytes = 0;
  const startedAt = performance.now();
  const work = async (): Promise<void> => {
    for (const path of queue) {
      if (performance.now() - startedAt > SERIES_SECONDS * 1000) return;
      try {
        const answer = await requestPage(new URL(path, base), { agent });
        firstByteMs.push(answer.firstByteMs);
        totalMs.push(answer.totalMs);
        bytes += answer.bytes;
        // Unpacking all of them would take the processor from the server; the first few of a series tell.
        const fault = totalMs.length <= 3 || answer.status !== 200 ? findFault(answer) : null;
        if (fault !== null) failures.push(`${path}: ${fault}`);
      } catch (error) {
        failures.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return { firstByteMs, totalMs, bytes, seconds, failures };
}
