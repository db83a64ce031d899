import { once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as sendRequest,
  type RequestOptions,
  type Server,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";

import { onTestFinished } from "vitest";

import { ACCOUNT_HEADER, type Role, ROLES, SENDER_HEADER } from "@/lib/core/domain/account";
import { type AccountStore, addAccount, COMMAND_LINE, openTeam } from "@/lib/people/accounts";
import { openAccountStore } from "@/lib/people/accounts/store";
import { freshSqlite } from "@/lib/store/database/postgres.fixture";

import { prepareAnswer } from "./answer-request";
import { prepareFilesOrigin } from "./files-origin";
import { prepareGuard } from "./guard-request";
import { createHttpServer } from "./http-server";

/** Requests that reached the pages. */
interface Reached {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  /** As the pages are told. */
  readonly account: { readonly name: string; readonly role: Role } | null;
  readonly sender: string;
  readonly body: string;
}

interface DoorServer {
  readonly port: number;
  readonly store: AccountStore;
  /** Since the start; the pages themselves are not there. */
  readonly reached: readonly Reached[];
  /** Adds an account of a role and signs it in, through the port of a proxy if given. @returns its cookies */
  readonly signInAs: (role: Role, by?: number) => Promise<string>;
  /** Calls `signInAs` for each role. */
  readonly signInAll: () => Promise<Readonly<Record<Role, string>>>;
}

export const PASSWORD = "correct horse battery";

/** Starts everything that is before the pages, with accounts, as `--behind-proxy --allow-host assay.example` does. */
export async function startDoor(basePath = "", isBehindProxy = true): Promise<DoorServer> {
  const store = openAccountStore(freshSqlite());
  await addAccount(store, { name: "admin", role: "admin", password: PASSWORD }, COMMAND_LINE);
  const team = await openTeam(store);
  if (team === null) throw new Error("there is an account");
  const reached: Reached[] = [];
  const guard = prepareGuard({ listensOn: "127.0.0.1", allowedHosts: ["assay.example"], isBehindProxy });
  const files = prepareFilesOrigin({ basePath, origin: null, secret: team.secret, isBehindProxy });
  const door = { team, actions: new Map<string, string>(), isBehindProxy };
  const server = createHttpServer(
    files.find,
    prepareAnswer({
      ...{ basePath, guard, files, door, ownKey: "Bearer of-the-test" },
      getHandler: () => async (request, response) => {
        const { method = "", url = "", headers } = request;
        const account = headers[ACCOUNT_HEADER]?.toString() ?? "";
        reached.push({
          ...{ method, url, headers },
          account: account === "" ? null : (JSON.parse(decodeURIComponent(account)) as Reached["account"]), // The door's.
          sender: headers[SENDER_HEADER]?.toString() ?? "",
          body: await text(request).catch(() => "broken"),
        });
        response.end("a page");
      },
    }),
  );
  const port = await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await store.close();
  });
  const signInAs = async (role: Role, by = port) => {
    if (role !== "admin") await addAccount(store, { name: role, role, password: PASSWORD }, COMMAND_LINE);
    const answer = await signIn(by, role, PASSWORD, { base: basePath });
    return answer.cookies.map((one) => one.split(";")[0] ?? "").join("; ");
  };
  const signInAll = async () => {
    const cookies: Partial<Record<Role, string>> = {};
    for (const role of ROLES) cookies[role] = await signInAs(role);
    return cookies as Readonly<Record<Role, string>>; // All of them.
  };
  return { port, store, reached, signInAs, signInAll };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Starts a proxy that reuses one connection, adds the client to `X-Forwarded-For`, and sets host and scheme. */
export async function startProxy(to: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const proxy = createServer((request, response) => {
    const { method, url, headers, socket } = request;
    const before = headers["x-forwarded-for"]?.toString() ?? "";
    const forwarded = {
      ...headers,
      "x-forwarded-for": before === "" ? socket.remoteAddress : `${before}, ${socket.remoteAddress}`,
      "x-forwarded-host": "assay.example",
      "x-forwarded-proto": "https",
    };
    const upstream = sendRequest(
      { host: "127.0.0.1", port: to, path: url, method, headers: forwarded, agent },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    upstream.on("error", () => response.destroy());
    request.pipe(upstream);
  });
  const port = await listen(proxy);
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
    agent.destroy();
  });
  return port;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly cookies: readonly string[];
  readonly body: string;
}

interface Asking {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** Address of this machine that it comes from. */
  readonly from?: string;
}

/** Asks as a browser or program does, with the path as it is written. */
export function ask(
  port: number,
  path: string,
  { method = "GET", headers = {}, body, from }: Asking = {},
): Promise<Answer> {
  return new Promise((settle, fail) => {
    const options: RequestOptions = {
      ...{ host: "127.0.0.1", port, path, method },
      headers: { host: "assay.example", ...headers },
      ...(from === undefined ? {} : { localAddress: from }),
    };
    const asked = sendRequest(options, (answer) => {
      const { statusCode: status = 0, headers: said } = answer;
      text(answer).then((read) => {
        settle({ status, headers: said, cookies: said["set-cookie"] ?? [], body: read });
      }, fail);
    });
    asked.on("error", fail).end(body);
  });
}

/** Tries a password. */
export function signIn(
  port: number,
  username: string,
  password: string,
  { base = "", ...more }: Asking & { readonly base?: string } = {},
): Promise<Answer> {
  return ask(port, `${base}/api/auth/sign-in/username`, {
    ...more,
    method: "POST",
    headers: { "content-type": "application/json", ...more.headers },
    body: JSON.stringify({ username, password }),
  });
}

/** Sends bytes as they are. @returns all that is answered until the connection ends */
export function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.end(Buffer.from(bytes, "latin1"));
  return text(socket).catch(() => "");
}
