import { serialize } from "node:v8";

import { serveOrders } from "@/lib/processes/serve-orders";

import { carryOut, type ReadingRequest } from "./readers";

/** A page is far smaller, and whoever takes the answer can do nothing else meanwhile. */
const MOST_ANSWER_BYTES = 8 << 20;

serveOrders<ReadingRequest, unknown>(async (request) => {
  const answer = await carryOut(request);
  const size = serialize(answer).byteLength;
  if (size <= MOST_ANSWER_BYTES) return answer;
  const mib = (bytes: number) => Math.round(bytes / (1 << 20));
  throw new Error(`it came to ${mib(size)} MiB, and a page takes at most ${mib(MOST_ANSWER_BYTES)}`);
});
