import { posix } from "node:path";

import { type Account, hasRole, type LeastRole, type Role } from "@/lib/core/domain/account";
import { API_ENDPOINTS } from "@/lib/core/domain/api-endpoints";

/** Routes that are not listed are refused. */
export const ROUTE_ROLES: Readonly<Record<string, LeastRole>> = {
  "/": "viewer",
  "/account": "viewer",
  "/accounts": "admin",
  "/accounts/audit": "admin",
  "/accounts/audit.csv": "admin",
  "/annotations": "viewer",
  "/annotations/codebook": "viewer",
  "/annotations/codebook/export": "viewer",
  "/annotations/conflicts": "viewer",
  "/annotations/export": "viewer",
  "/annotations/import": "viewer",
  "/annotations/queues": "viewer",
  "/annotations/queues/[queue]": "viewer",
  "/annotations/queues/[queue]/items/[item]": "viewer",
  "/annotations/queues/new": "viewer",
  "/annotations/recorded": "viewer",
  "/annotations/verifier": "viewer",
  "/annotations/verifier/export": "viewer",
  "/api/artifacts/[...path]": "viewer",
  "/api/events": "viewer",
  "/api/search": "viewer",
  "/api/v1/openapi.json": "viewer",
  ...Object.fromEntries(
    Object.keys(API_ENDPOINTS).map(
      (path) => [path.replaceAll("{", "[").replaceAll("}", "]"), "viewer"] as const,
    ),
  ),
  "/beside": "viewer",
  "/compare": "viewer",
  "/compare/curves.csv": "viewer",
  "/compare/report.html": "viewer",
  "/datasets": "viewer",
  "/datasets/[dataset]": "viewer",
  "/diff": "viewer",
  "/errors": "viewer",
  "/errors/clusters/[key]": "viewer",
  "/errors/exceptions": "viewer",
  "/errors/scanners": "viewer",
  "/errors/taxonomy": "viewer",
  "/help": "viewer",
  "/help/[guide]": "viewer",
  "/icon.svg": "viewer",
  "/invitation": "anyone",
  "/jobs.csv": "viewer",
  "/jobs.json": "viewer",
  "/jobs.parquet": "viewer",
  "/jobs/[job]": "viewer",
  "/jobs/[job]/evaluations.jsonl": "viewer",
  "/jobs/[job]/similar-names": "viewer",
  "/jobs/[job]/trials.csv": "viewer",
  "/jobs/[job]/trials.json": "viewer",
  "/jobs/[job]/trials.parquet": "viewer",
  "/jobs/[job]/trials/[trial]": "viewer",
  "/jobs/[job]/trials/[trial]/evaluation.json": "viewer",
  "/load-report": "viewer",
  "/robots.txt": "anyone",
  "/run-sets": "viewer",
  "/sign-in": "anyone",
  "/tasks/[task]": "viewer",
  "/trials": "viewer",
  "/trials.csv": "viewer",
  "/trials.json": "viewer",
  "/trials.parquet": "viewer",
  "/views": "viewer",
};

/** Actions without a lasting change, such as leases, which expire. The log omits them. */
export const READING_ACTIONS = {
  findCategories: "viewer",

  findNextReview: "reviewer",
  takeQueueItem: "reviewer",
  renewQueueLease: "reviewer",
  releaseQueueItem: "reviewer",
  openNextAction: "reviewer",
  previewQueueAction: "reviewer",

  startImport: "adjudicator",
  sendImportPart: "adjudicator",
  checkImport: "adjudicator",
} as const satisfies Readonly<Record<string, LeastRole>>;

/** These log themselves. They refuse tokens: a stolen one must not create anything that outlasts it. */
export const ACCOUNT_ACTIONS = {
  acceptInvitationAction: "anyone",

  createTokenAction: "viewer",
  revokeTokenAction: "viewer",
  disconnectAction: "viewer",

  inviteAction: "admin",
  revokeInvitationAction: "admin",
  changeAccountAction: "admin",
  changeFolderRoleAction: "admin",
} as const satisfies Readonly<Record<string, LeastRole>>;

/** Actions that are not listed are refused. */
export const ACTION_ROLES = {
  ...READING_ACTIONS,
  ...ACCOUNT_ACTIONS,

  saveReview: "reviewer",
  undoReview: "reviewer",
  moveQueueItem: "reviewer",
  putBackAction: "reviewer",
  answerSuggestionAction: "reviewer",
  nameClusterAction: "reviewer",
  makeQueueAction: "reviewer",
  makeNextLabels: "reviewer",
  rescanAction: "reviewer",
  saveViewAction: "reviewer",
  renameViewAction: "reviewer",
  deleteViewAction: "reviewer",
  restoreViewAction: "reviewer",
  saveRunSetAction: "reviewer",
  renameRunSetAction: "reviewer",
  deleteRunSetAction: "reviewer",
  restoreRunSetAction: "reviewer",

  saveDecision: "adjudicator",
  undoDecision: "adjudicator",
  changeCodebookAction: "adjudicator",
  importCodebookAction: "adjudicator",
  queueSplitAction: "adjudicator",
  closeQueueAction: "adjudicator",
  dismissFindingAction: "adjudicator",
  restoreFindingAction: "adjudicator",
  applyImport: "adjudicator",
  undoTagImportAction: "adjudicator",
} as const satisfies Readonly<Record<string, LeastRole>>;

export type ActionName = keyof typeof ACTION_ROLES;

export function findActionRole(name: string): LeastRole | null {
  const roles: Readonly<Record<string, LeastRole>> = ACTION_ROLES;
  return Object.hasOwn(roles, name) ? (roles[name] ?? null) : null;
}

export type RefusedActions = Readonly<Partial<Record<ActionName, LeastRole>>>;

export function listRefusedActions(account: Pick<Account, "role">): RefusedActions {
  return Object.fromEntries(Object.entries(ACTION_ROLES).filter(([, least]) => !hasRole(account, least)));
}

export const SESSION_ROLES: Readonly<Record<string, LeastRole>> = {
  "POST /api/auth/sign-in/username": "anyone",
  "POST /api/auth/oidc": "anyone",
  "GET /api/auth/oidc/callback": "anyone",
  "POST /api/auth/sign-out": "anyone",
  "POST /api/auth/change-password": "viewer",
};

/** Open to anyone: equal for all users and without user data. */
const ASSETS = /^\/_next\/static\/[\w./~-]+$/;

export function isAsset(path: string): boolean {
  return ASSETS.test(path) && !path.includes("..");
}

const PATTERNS = Object.entries(ROUTE_ROLES).map(([route, role]) => ({
  route,
  pattern: new RegExp(`^${route.replaceAll(/\[\.\.\.[^\][]+\]|\[[^\][]+\]|\./g, toPattern)}$`),
  role,
}));

function toPattern(part: string): string {
  if (part === ".") return "\\.";
  return part.startsWith("[...") ? ".+" : "[^/]+";
}

/**
 * Routes for anyone match only as written; all others also match other spellings. An encoded slash belongs to a name, as for the
 * pages. If it would reach a route of a higher role, that role is required.
 *
 * @param path - of a `RequestTarget`, whose percent escapes are valid
 */
export function findRouteRole(path: string): LeastRole | null {
  if (isAsset(path)) return "anyone";
  if (ROUTE_ROLES[path] === "anyone") return "anyone";
  const served = matchRoute(path.replaceAll(/%2f/gi, "%252f"));
  const decoded = matchRoute(path);
  return served !== null && decoded !== null && hasRole({ role: decoded }, served) ? decoded : served;
}

function matchRoute(path: string): Role | null {
  const role = findPattern(path)?.role ?? null;
  return role === "anyone" ? "viewer" : role;
}

function findPattern(path: string): (typeof PATTERNS)[number] | undefined {
  const meant = posix.normalize(decodeURIComponent(path).replaceAll("\\", "/")).toLowerCase();
  const name = meant.length > 1 ? meant.replace(/\/$/, "") : meant;
  return PATTERNS.find(({ pattern }) => pattern.test(name));
}

/** Routes that only pass on data: files of a trial, and the stream of events, which has its own limits. */
const STREAMS: ReadonlySet<string> = new Set(["/api/artifacts/[...path]", "/api/events"]);

/** Null for streams, assets and unknown paths, which cost little. */
export function findBusyRoute(path: string): string | null {
  const route = isAsset(path) ? null : (findPattern(path.replaceAll(/%2f/gi, "%252f"))?.route ?? null);
  return route === null || STREAMS.has(route) ? null : route;
}
