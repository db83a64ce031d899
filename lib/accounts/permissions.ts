import { posix } from "node:path";

import { type Account, hasRole, type LeastRole } from "@/lib/domain/account";

/** The least role of every page and route below `app/`, by its folder. What is not named here is for viewers. */
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
  "/api/v1/compare": "viewer",
  "/api/v1/jobs": "viewer",
  "/api/v1/jobs/[job]": "viewer",
  "/api/v1/jobs/[job]/trials": "viewer",
  "/api/v1/openapi.json": "viewer",
  "/beside": "viewer",
  "/compare": "viewer",
  "/compare/curves.csv": "viewer",
  "/compare/report.html": "viewer",
  "/datasets": "viewer",
  "/datasets/[dataset]": "viewer",
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
  "/sign-in": "anyone",
  "/tasks/[task]": "viewer",
  "/trials": "viewer",
  "/trials.csv": "viewer",
  "/trials.json": "viewer",
  "/trials.parquet": "viewer",
  "/views": "viewer",
};

/** The least role of every server action, by its name. One that is not named here is refused. */
export const ACTION_ROLES = {
  acceptInvitationAction: "anyone",

  findCategories: "viewer",
  createTokenAction: "viewer",
  revokeTokenAction: "viewer",
  disconnectAction: "viewer",

  findNextReview: "reviewer",
  saveReview: "reviewer",
  undoReview: "reviewer",
  takeQueueItem: "reviewer",
  renewQueueLease: "reviewer",
  releaseQueueItem: "reviewer",
  moveQueueItem: "reviewer",
  openNextAction: "reviewer",
  putBackAction: "reviewer",
  answerSuggestionAction: "reviewer",
  nameClusterAction: "reviewer",
  previewQueueAction: "reviewer",
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
  startImport: "adjudicator",
  sendImportPart: "adjudicator",
  checkImport: "adjudicator",
  applyImport: "adjudicator",
  undoTagImportAction: "adjudicator",

  inviteAction: "admin",
  revokeInvitationAction: "admin",
  changeAccountAction: "admin",
  changeFolderRoleAction: "admin",
} as const satisfies Readonly<Record<string, LeastRole>>;

/** Actions that take a session and no token: a token in wrong hands is to make nothing that outlasts it. */
export const SESSION_ACTIONS: ReadonlySet<string> = new Set<keyof typeof ACTION_ROLES>([
  "createTokenAction",
  "revokeTokenAction",
  "disconnectAction",
  "inviteAction",
  "revokeInvitationAction",
  "changeAccountAction",
  "changeFolderRoleAction",
]);

/** The name of a server action. */
export type ActionName = keyof typeof ACTION_ROLES;

/** Returns the least role of an action; null for a name that no action has. */
export function findActionRole(name: string): LeastRole | null {
  const roles: Readonly<Record<string, LeastRole>> = ACTION_ROLES;
  return Object.hasOwn(roles, name) ? (roles[name] ?? null) : null;
}

/** The actions that an account may not take, each with the role that it asks for. */
export type RefusedActions = Readonly<Partial<Record<ActionName, LeastRole>>>;

/** Returns what an account may not do, for pages to offer none of it. */
export function listRefusedActions(account: Pick<Account, "role">): RefusedActions {
  return Object.fromEntries(Object.entries(ACTION_ROLES).filter(([, least]) => !hasRole(account, least)));
}

/** Of the library's addresses for signing in and out, by method and path, those that are answered. */
export const SESSION_ROLES: Readonly<Record<string, LeastRole>> = {
  "POST /api/auth/sign-in/username": "anyone",
  "POST /api/auth/oidc": "anyone",
  "GET /api/auth/oidc/callback": "anyone",
  "POST /api/auth/sign-out": "anyone",
  "POST /api/auth/change-password": "viewer",
};

/** Where the scripts, styles and fonts of pages are, which are the same for everybody and hold nothing of anybody's. */
const ASSETS = /^\/_next\/static\/[\w./~-]+$/;

/** Whether a path is that of a script, style or font of pages. */
export function isAsset(path: string): boolean {
  return ASSETS.test(path) && !path.includes("..");
}

const PATTERNS = Object.entries(ROUTE_ROLES).map(([route, role]) => ({
  pattern: new RegExp(`^${route.replaceAll(/\[\.\.\.[^\][]+\]|\[[^\][]+\]|\./g, toPattern)}$`),
  role,
}));

function toPattern(part: string): string {
  if (part === ".") return "\\.";
  return part.startsWith("[...") ? ".+" : "[^/]+";
}

/**
 * Returns what an address asks for. What is for anyone is matched as it was written; what is for a higher role than viewers also
 * when it was written in another way, such as with percent signs.
 *
 * @param path - of a request, without query
 * @returns null for a path whose percent signs make no text
 */
export function findRouteRole(path: string): LeastRole | null {
  if (isAsset(path)) return "anyone";
  const written = ROUTE_ROLES[path];
  if (written === "anyone") return written;
  const decoded = decode(path);
  if (decoded === null) return null;
  const meant = posix.normalize(decoded.replaceAll("\\", "/")).toLowerCase();
  const role = PATTERNS.find(({ pattern }) =>
    pattern.test(meant.length > 1 ? meant.replace(/\/$/, "") : meant),
  )?.role;
  return role === undefined || role === "anyone" ? "viewer" : role;
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
