import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";

import { ACCOUNT_HEADER, formatAccount, SENDER_HEADER } from "../core/domain/account.ts";
import { withBasePath, withoutBasePath } from "../core/domain/base-path.ts";
import type { RequestTarget } from "../core/domain/request-target.ts";
import type { Admission, Team, TeamRequest } from "../people/accounts/team.ts";
import { isOverTls } from "./cookies.ts";
import type { Refusal } from "./refusal-page.ts";

const SESSION_PATH = /^\/api\/auth(?:\/|$)/;

export interface Door {
  readonly team: Team;
  readonly actions: ReadonlyMap<string, string>;
  readonly isBehindProxy: boolean;
}

export function readActionNames(manifest: string): ReadonlyMap<string, string> {
  const { node } = JSON.parse(readFileSync(manifest, "utf8")) as {
    readonly node: Readonly<Record<string, { readonly exportedName: string }>>;
  }; // Written by the build.
  return new Map(Object.entries(node).map(([id, { exportedName }]) => [id, exportedName]));
}

export async function admitRequest(
  door: Door,
  request: IncomingMessage,
  target: RequestTarget,
): Promise<Refusal | Extract<Admission, { readonly kind: "admitted" }>> {
  const described = describeRequest(door, request, target);
  const admission = await door.team.admit(described);
  if (admission.kind === "sign-in")
    return {
      status: 303,
      message: "",
      headers: { location: withBasePath(admission.location), "cache-control": "no-store" },
    };
  if (admission.kind === "refused") {
    const { status, message, retryAfterSeconds } = admission;
    return {
      status,
      message: `${message}\n`,
      headers: {
        ...(status === 401 ? { "www-authenticate": 'Bearer realm="Assay"' } : {}),
        ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
        "cache-control": "no-store",
      },
      ...(status === 401 ? {} : { onward: withBasePath("/") }),
    };
  }
  request.headers[ACCOUNT_HEADER] = formatAccount(admission.account);
  request.headers[SENDER_HEADER] = described.address;
  return admission;
}

export function isAboutSession({ path }: RequestTarget): boolean {
  return SESSION_PATH.test(withoutBasePath(path));
}

export async function answerSession(
  door: Door,
  request: IncomingMessage,
  response: ServerResponse,
  { account, body, target }: Pick<Parameters<Team["answer"]>[0], "account" | "body" | "target">,
): Promise<void> {
  const { headers } = request;
  const host = headers["x-forwarded-host"]?.toString().split(",")[0]?.trim() ?? headers.host ?? "";
  const origin = `${isOverTls(request) ? "https" : "http"}://${host}`;
  const answer = await door.team.answer({ ...describeRequest(door, request, target), account, origin, body });
  for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value);
  response.setHeader("cache-control", "no-store");
  response.setHeader("set-cookie", answer.headers.getSetCookie());
  response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
}

function describeRequest(
  { actions, isBehindProxy }: Door,
  request: IncomingMessage,
  { path, query }: RequestTarget,
): TeamRequest {
  const { method = "GET", headers, socket } = request;
  const id = headers["next-action"];
  const action = method !== "POST" || id === undefined ? undefined : (actions.get(id.toString()) ?? null);
  // The last value is the proxy's; the client may have forged the ones before.
  const forwarded = isBehindProxy
    ? headers["x-forwarded-for"]?.toString().split(",").at(-1)?.trim()
    : undefined;
  const address = forwarded ?? (socket.remoteAddress ?? "").replace("::ffff:", "");
  const target = { path: withoutBasePath(path), query };
  return { method, target, headers, address, isOverTls: isOverTls(request), action };
}
