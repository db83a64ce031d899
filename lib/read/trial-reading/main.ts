import { serialize } from "node:v8";

import { serveOrders } from "@/lib/read/processes/serve";

import { carryOut, type ReadingRequest } from "./readers";

/** The parent process can do nothing else while it receives a value. Lists, texts and steps of a page stay below. */
const MOST_VALUE_BYTES = 4 << 20;
/** A text needs no decoding, which is about a hundred times as fast. */
const MOST_TEXT_BYTES = 32 << 20;

serveOrders<ReadingRequest, unknown>(async (request) => {
  const answer = await carryOut(request);
  const size = serialize(answer).byteLength;
  const most = typeof answer === "string" ? MOST_TEXT_BYTES : MOST_VALUE_BYTES;
  if (size <= most) return answer;
  const mib = (bytes: number) => Math.round(bytes / (1 << 20));
  throw new Error(`it came to ${mib(size)} MiB, and a page takes at most ${mib(most)}`);
});
