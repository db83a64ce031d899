import type { IncomingMessage, ServerResponse } from "node:http";

import { ACCOUNT_HEADER, formatAccount, SENDER_HEADER } from "../core/domain/account.ts";
import { withoutBasePath } from "../core/domain/base-path.ts";
import { parseTarget, type RequestTarget } from "../core/domain/request-target.ts";
import { runWithFullVisibility, runWithVisibility } from "../store/visibility/visibility.ts";
import { admitRequest, answerSession, type Door, isAboutSession } from "./admit-request.ts";
import { rewriteUrl } from "./base-path.ts";
import { giveReviewerKey } from "./cookies.ts";
import type { FilesOrigin } from "./files-origin.ts";
import type { prepareGuard } from "./guard-request.ts";
import { isReading, readBody, receiveChange } from "./receive-change.ts";
import { type Refusal, writeRefusal } from "./refusal-page.ts";
import { RequestLanes } from "./request-lanes.ts";

/** Next asks this server itself if another page has the action. In a lane, that request would wait for the one it is part of. */
function isForwarded({ method, headers }: IncomingMessage): boolean {
  return (
    method === "POST" && headers["next-action"] !== undefined && headers["x-action-forwarded"] !== undefined
  );
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Entrance {
  readonly basePath: string;
  readonly guard: ReturnType<typeof prepareGuard>;
  readonly files: FilesOrigin;
  readonly door: Door | null;
  /** `Authorization` of the server's own request for its first page. */
  readonly ownKey: string;
  readonly getHandler: () => Handler | null;
  readonly nameRoute?: NameRoute | undefined;
}

export type NameRoute = (path: string) => string | null;

export function prepareAnswer({
  basePath,
  guard,
  files,
  door,
  ownKey,
  getHandler,
  nameRoute,
}: Entrance): (request: IncomingMessage, response: ServerResponse) => void {
  const lanes = new RequestLanes();
  const inTurn = (handle: Handler, client: string, { path }: RequestTarget): Handler => {
    const route = nameRoute?.(withoutBasePath(path)) ?? null;
    if (route === null) return handle;
    return async (request, response) => {
      if (isForwarded(request)) return handle(request, response);
      const turn = await lanes.enter(JSON.stringify([client, request.method, route]), response);
      if (turn === "started") await handle(request, response);
      else if (turn === "full") refuse(request, response, TOO_MANY);
    };
  };
  return (request, response) => {
    request.url = rewriteUrl(request.url ?? "/", basePath);
    const isFile = files.isAsked(request);
    if (isFile && !files.open(request, response)) {
      refuse(request, response, NO_FILE);
      return;
    }
    const target = parseTarget(request.url);
    const refusal = guard(request);
    const handle = getHandler();
    if (refusal !== null) refuse(request, response, refusal);
    else if (target === null) refuse(request, response, NO_PATH);
    else if (handle === null) refuse(request, response, STARTING);
    else if (door !== null && request.headers.authorization === ownKey) {
      request.headers[ACCOUNT_HEADER] = formatAccount({ id: "", name: "Assay", role: "viewer" });
      void runWithFullVisibility(() => handle(request, response));
    } else {
      const onward = { files, isFile, handleOf: (client: string) => inTurn(handle, client, target) };
      if (door === null) pass(onward, "", request, response);
      else void passDoor(door, target, onward, request, response);
    }
  };
}

const STARTING: Refusal = {
  status: 503,
  message: "Assay is starting. Try again in a moment.\n",
  headers: { "retry-after": "1", refresh: "2" },
};

const TOO_MANY: Refusal = {
  status: 429,
  message: "Too many requests for this page are waiting. Wait a few seconds, then try again.\n",
  headers: { "retry-after": "5", refresh: "5", "cache-control": "no-store" },
};

const NO_PATH: Refusal = {
  status: 400,
  message: "Invalid URL: the path or its percent encoding is malformed. Start from Assay's first page.\n",
};

const NO_FILE: Refusal = {
  status: 404,
  message: "This link has expired, or no file has this URL. Open the file from its page again.\n",
  headers: { "cache-control": "no-store" },
};

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const { type, body, policy } = writeRefusal(request, refusal);
  const headers = {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": policy,
    vary: "accept",
    ...refusal.headers,
  };
  response.writeHead(refusal.status, headers).end(body);
}

interface Onward {
  readonly handleOf: (client: string) => Handler;
  readonly files: FilesOrigin;
  readonly isFile: boolean;
}

function pass(
  { handleOf, files, isFile }: Onward,
  client: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const elsewhere = isFile ? null : files.sendOn(request);
  if (elsewhere !== null) refuse(request, response, elsewhere);
  else if (isReading(request)) {
    if (!isFile) giveReviewerKey(request, response);
    void handleOf(client)(request, response);
  } else void change(handleOf(client), request, response);
}

const NO_STORE: Refusal = {
  status: 503,
  message:
    "The account store is not responding, so no one can sign in. Check the terminal that runs Assay.\n\nBrowsers retry every five seconds.\n",
  headers: { "retry-after": "5", refresh: "5" },
};

async function passDoor(
  door: Door,
  target: RequestTarget,
  onward: Onward,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const admitted = await admitRequest(door, request, target);
    // The URL belongs to a session that has ended; this origin does not reveal the file.
    if ("status" in admitted) refuse(request, response, onward.isFile ? NO_FILE : admitted);
    else {
      const client = admitted.account?.id ?? String(request.headers[SENDER_HEADER]);
      // The files' origin never has cookies.
      if (!onward.isFile) for (const cookie of admitted.cookies) response.appendHeader("set-cookie", cookie);
      if (isAboutSession(target)) {
        const body = isReading(request) ? null : await readBody(request);
        await answerSession(door, request, response, { account: admitted.account, body, target });
      } else if (admitted.hidden === null) pass(onward, client, request, response);
      else {
        const visibility = { hidden: admitted.hidden, asker: admitted.account?.name ?? null };
        runWithVisibility(visibility, () => pass(onward, client, request, response));
      }
    }
  } catch (error) {
    if (!request.readableAborted) fail(error, request, response);
  }
}

function fail(error: unknown, request: IncomingMessage, response: ServerResponse): void {
  process.stderr.write(`assay: ${error instanceof Error ? error.message : String(error)}\n`);
  if (response.headersSent) response.destroy();
  else refuse(request, response, NO_STORE);
}

async function change(handle: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const received = await receiveChange(request).catch(() => null);
  if (received === null) response.destroy();
  else if (received.ok) await handle(received.request, response);
  else refuse(request, response, received.refusal);
}
