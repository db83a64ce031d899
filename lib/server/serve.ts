import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import type { Server } from "node:http";
import { join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";

import { isBucketAddress } from "../core/domain/bucket.ts";
import { LaunchError } from "../core/domain/launch-error.ts";
import type { Team } from "../people/accounts/team.ts";
import { findProjectRoot } from "../read/processes/project-root.ts";
import { requireVisibility } from "../store/visibility/visibility.ts";
import { readActionNames } from "./admit-request.ts";
import { type Handler, type NameRoute, prepareAnswer } from "./answer-request.ts";
import { checkBasePath, placePages } from "./base-path.ts";
import { checkFilesOrigin, prepareFilesOrigin } from "./files-origin.ts";
import { checkHostName, isLoopback, isWildcard, prepareGuard } from "./guard-request.ts";
import { DEFAULT_PORT, createHttpServer, listen } from "./http-server.ts";

const KEY_BYTES = 32;

export const DEFAULT_HOST = "127.0.0.1";

interface ServeOptions {
  readonly roots: readonly string[];
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
  /** Trusts the proxy's `X-Forwarded-*` headers. */
  readonly isBehindProxy?: boolean | undefined;
  /** Access control; without accounts only this machine has access. */
  readonly team?: Team | null | undefined;
  readonly basePath?: string | undefined;
  readonly filesOrigin?: string | undefined;
  readonly dataFolder?: string | undefined;
  readonly summation?: "cpython-3.12" | "sequential" | undefined;
  readonly nameRoute?: NameRoute | undefined;
  /** Called after the environment is set and the port is taken, before the pages load. */
  readonly onPortTaken?: (() => Promise<unknown>) | undefined;
}

interface RunningServer {
  readonly urls: readonly string[];
  readonly close: () => Promise<void>;
  readonly stopped: Promise<void>;
}

/** Resolves after the first page. @throws LaunchError `folder-missing`, `not-built`, `bad-argument`, `port-taken`, `listen-failed` */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  // Otherwise V8 keeps freed memory: 100 MB after a leaderboard of 100,000 trials.
  setFlagsFromString("--optimize-for-size");
  // Peak over 100,000 trials in an hour: 389 MB at 20, 455 MB at 60, which takes a quarter less processor time per page.
  setFlagsFromString("--heap-growing-percent=40");
  const host = options.host ?? DEFAULT_HOST;
  const roots = options.roots.map((root) => (isBucketAddress(root) ? root : checkRoot(resolve(root))));
  const allowedHosts = (options.allowedHosts ?? []).map(checkHostName);
  const basePath = checkBasePath(options.basePath ?? "");
  const filesOrigin = options.filesOrigin === undefined ? null : checkFilesOrigin(options.filesOrigin);
  const { isBehindProxy = false } = options;
  const team = await checkTeam(options);
  const project = findProjectRoot();
  checkBuild(project);
  const manifest = join(project, findPages(project), "server", "server-reference-manifest.json");
  if (team !== null) requireVisibility();
  const door = team === null ? null : { team, actions: readActionNames(manifest), isBehindProxy };
  setEnvironment(roots, options, basePath);

  // Listens before loading Next, so that a taken port is reported at once.
  let handle: Handler | null = null;
  const guard = prepareGuard({ listensOn: host, allowedHosts, isBehindProxy });
  const secret = team?.secret ?? null;
  const files = prepareFilesOrigin({ basePath, origin: filesOrigin, secret, isBehindProxy });
  // Known to this process only: it reads the first page without a sign-in.
  const ownKey = `Bearer ${randomBytes(KEY_BYTES).toString("base64url")}`;
  const server = createHttpServer(
    files.find,
    prepareAnswer({
      basePath,
      guard,
      files,
      door,
      ownKey,
      getHandler: () => handle,
      nameRoute: options.nameRoute,
    }),
    { isShared: isBehindProxy },
  );
  const port = await listen(server, host, options.port ?? DEFAULT_PORT);
  const names = new Set([host, ...(isBehindProxy ? [] : allowedHosts)]);
  const urls = [...names].map((name) => formatUrl(name, port) + basePath);
  const running = prepareRunningServer(server, urls);
  try {
    await options.onPortTaken?.();
    handle = await prepareNext(placeBelow(basePath, project, running), host, port, server);
    await readFirstPage(formatUrl(host, port), ownKey).catch((error: unknown) => {
      if (server.listening) throw error;
    });
  } catch (error) {
    await running.close();
    throw error;
  }
  return running;
}

function checkRoot(root: string): string {
  if (!existsSync(root)) {
    throw new LaunchError(
      "folder-missing",
      `Folder ${root} does not exist. Pass a folder of jobs, or none to open the sample jobs.`,
    );
  }
  if (!statSync(root).isDirectory()) {
    throw new LaunchError("folder-missing", `${root} is a file. Choose the folder of jobs that contains it.`);
  }
  return root;
}

function isOpenToOthers({ host = DEFAULT_HOST, allowedHosts = [], isBehindProxy }: ServeOptions): boolean {
  return isBehindProxy === true || ![host, ...allowedHosts].every(isLoopback);
}

/** @throws LaunchError `no-accounts` if other machines have access and no one could sign in */
async function checkTeam(options: ServeOptions): Promise<Team | null> {
  const { team = null } = options;
  if (!isOpenToOthers(options) || (await team?.hasAdmin()) === true) return team;
  throw new LaunchError(
    "no-accounts",
    "With --host, --allow-host or --behind-proxy, sign-in is required, and there is no account yet. Create the first admin: " +
      '"assay accounts add NAME --role admin", with the same --data, $ASSAY_DATA or $DATABASE_URL. Then start Assay again.',
  );
}

export const PACKAGED_PAGES = "dist/pages";

function findPages(project: string): string {
  const built = process.env["ASSAY_DIST_DIR"] ?? ".next";
  return existsSync(join(project, "app")) ? built : PACKAGED_PAGES;
}

function checkBuild(project: string): void {
  if (!existsSync(join(project, findPages(project), "BUILD_ID"))) {
    throw new LaunchError(
      "not-built",
      `The pages are not built yet. Run "npm start" or "npm run build" in ${project}.`,
    );
  }
}

function placeBelow(basePath: string, project: string, { stopped }: RunningServer): string {
  if (basePath === "") return project;
  const { folder, remove } = placePages({ project, pages: join(project, findPages(project)) }, basePath);
  void stopped.then(remove);
  return folder;
}

/** Next reads NODE_ENV when it loads; the pages read the rest at their first request. */
function setEnvironment(roots: readonly string[], options: ServeOptions, basePath: string): void {
  Object.assign(process.env, { NODE_ENV: "production" });
  process.env["NEXT_TELEMETRY_DISABLED"] = "1";
  // Node reads the configuration itself; otherwise Next loads a compiler for it and keeps it in memory.
  process.env["__NEXT_NODE_NATIVE_TS_LOADER_ENABLED"] = "true";
  process.env["ASSAY_BASE_PATH"] = basePath;
  process.env["ASSAY_ROOTS"] = JSON.stringify(roots);
  process.env["ASSAY_PROGRAMS"] ??= join(findProjectRoot(), "dist");
  if (options.dataFolder !== undefined) process.env["ASSAY_DATA"] = resolve(options.dataFolder);
  if (options.summation !== undefined) process.env["ASSAY_SUMMATION"] = options.summation;
}

async function prepareNext(dir: string, host: string, port: number, server: Server): Promise<Handler> {
  const { default: createNext } = await import("next");
  const next = createNext({ dir, dev: false, hostname: host, port, httpServer: server });
  await withoutLog(() => next.prepare());
  const handle = next.getRequestHandler();
  return (request, response) => handle(request, response);
}

async function withoutLog(work: () => Promise<void>): Promise<void> {
  const { log } = console;
  console.log = () => undefined;
  try {
    await work();
  } finally {
    console.log = log;
  }
}

function formatUrl(host: string, port: number): string {
  const name = isWildcard(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function prepareRunningServer(server: Server, urls: readonly string[]): RunningServer {
  const stopped = new Promise<void>((settle) => server.once("close", settle));
  const close = async (): Promise<void> => {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    if (server.listening) server.close();
    server.closeAllConnections();
    await stopped;
  };
  const onSignal = (): void => void close();
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return { urls, close, stopped };
}

async function readFirstPage(address: string, authorization: string): Promise<void> {
  const response = await fetch(address, { redirect: "manual", headers: { authorization } });
  await response.text();
}
