import { parentPort, type MessagePort } from "node:worker_threads";

import { toStoreError } from "@/lib/database";
import { openIndexStore } from "@/lib/store";

import { SourceReader } from "./reader";
import type { ReaderData, ReaderReply, ReaderRequest } from "./thread-messages";

/** A reading thread: takes one piece of work after the other until it is ended. */
export async function runReader({ target }: ReaderData): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("This runs in a thread of its own.");
  const opening = openIndexStore(target).then((store) => new SourceReader(store));
  port.on("message", (request: ReaderRequest) => {
    void opening
      .then((reader) => work(port, reader, request))
      .catch((error: unknown) => reply(port, describeFailure(toStoreError(error, target))));
  });
  await opening.catch(() => undefined);
}

async function work(port: MessagePort, reader: SourceReader, request: ReaderRequest): Promise<void> {
  if (request.kind === "check") {
    reply(port, { kind: "checked", isUnchanged: reader.isUnchanged(request.task) });
    return;
  }
  const onTrials = (n: number) => reply(port, { kind: "trials", n });
  if (request.kind === "findings") {
    await reader.readFindings(request.task, onTrials);
    reply(port, { kind: "found" });
    return;
  }
  const outcome = await reader.read(request.task, onTrials);
  reply(port, { kind: "read", outcome });
}

function reply(port: MessagePort, message: ReaderReply): void {
  port.postMessage(message);
}

function describeFailure(error: unknown): ReaderReply {
  if (!(error instanceof Error)) return { kind: "failed", message: String(error), code: null, stack: null };
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  return { kind: "failed", message: error.message, code, stack: error.stack ?? null };
}
