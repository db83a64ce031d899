import { createHash } from "node:crypto";

import type { TrialIdentity } from "@/lib/core/domain/annotation";
import { ForbiddenError } from "@/lib/core/domain/app-error";
import { toColumnText } from "@/lib/store/database";

import { computeChains } from "./chain";
import { type AnnotationDb, type AnnotationEvent, type Claim, selectTrialEvents } from "./record";
import type { AnnotationStore } from "./store";

/** The browser or account that saves or withdraws, independent of the typed name. */
export interface Actor {
  /** See {@link hashBrowserKey}. Null for programs, and for browsers without cookies. */
  readonly browserKeyHash: string | null;
  /**
   * Set for accounts: the hash of the browser's own key, used before there were accounts. Judgments under it belong to the
   * account of the same name. Undefined without accounts.
   */
  readonly earlierKeyHash?: string | null;
  readonly isAdmin: boolean;
}

/** A program without a key. It can change only unowned chains. */
export const NO_ACTOR: Actor = { browserKeyHash: null, isAdmin: false };

/** Returns the SHA-256 of a browser key in hex. The key itself is 256 random bits. */
export function hashBrowserKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/**
 * A chain belongs to the last key stored in it. A chain without a key or a current judgment belongs to the browser that changes it
 * first: nothing needs protection, and withdrawn judgments stay in the history. An admin's change keeps the owner and is marked.
 * @throws ForbiddenError when a current judgment belongs to another browser
 */
export async function claimChain(
  db: AnnotationDb,
  chain: readonly AnnotationEvent[],
  actor: Actor,
): Promise<Claim> {
  const { browserKeyHash, isAdmin } = actor;
  const own: Claim = { browserKeyHash, savedBy: null };
  const last = chain.at(-1);
  if (last === undefined) return own;
  const owner = findOwner(chain, await readBrowserKeys(db, last.subject.trialName));
  const isOwn = isOwnKey(actor, owner);
  if (isAdmin && !isOwn) return { browserKeyHash: null, savedBy: "admin" };
  const stands = computeChains(chain).some(({ current }) => current !== null);
  if (!stands || owner === null || isOwn) return own;
  throw new ForbiddenError(
    actor.earlierKeyHash === undefined
      ? `The judgment of ${last.reviewerId} was saved in another browser, and only that browser can change or undo it. ` +
          `Use another name, or ask whoever runs Assay.`
      : `The judgment of ${last.reviewerId} was saved in another browser before there were accounts. ` +
          `Change it there, signed in, or ask an admin.`,
  );
}

export async function readOwnIds(
  store: AnnotationStore,
  trialName: string,
  actor: Actor,
): Promise<ReadonlySet<string>> {
  if (actor.browserKeyHash === null) return new Set();
  return store.read(new Set<string>(), async (db) => {
    const keys = await readBrowserKeys(db, trialName);
    return new Set([...keys].flatMap(([id, hash]) => (isOwnKey(actor, hash) ? id : [])));
  });
}

export async function readOwnQueueIds(
  store: AnnotationStore,
  queueId: string,
  { browserKeyHash, earlierKeyHash }: Pick<Actor, "browserKeyHash" | "earlierKeyHash">,
): Promise<ReadonlySet<string> | null> {
  if (browserKeyHash === null) return null;
  return store.read(new Set<string>(), async (db) => {
    const rows = await db
      .selectFrom("annotation_version")
      .select("version_id")
      .where("queue_id", "=", queueId)
      .where("browser_key_hash", "in", [browserKeyHash, earlierKeyHash ?? browserKeyHash])
      .execute();
    return new Set(rows.map((row) => row.version_id));
  });
}

export function listOthersOfAdmin(
  store: AnnotationStore,
  trial: TrialIdentity,
  actor: Actor,
): Promise<readonly string[]> {
  if (!actor.isAdmin) return Promise.resolve([]);
  return store.read<readonly string[]>([], async (db) => {
    const events = await selectTrialEvents(db, trial);
    const keys = await readBrowserKeys(db, trial.trialName);
    return [...Map.groupBy(events, ({ reviewerKey }) => reviewerKey)].flatMap(([reviewerKey, chain]) =>
      isOwnKey(actor, findOwner(chain, keys)) ? [] : reviewerKey,
    );
  });
}

function isOwnKey({ browserKeyHash, earlierKeyHash }: Actor, hash: string | null): boolean {
  return hash === browserKeyHash || (hash !== null && hash === earlierKeyHash);
}

async function readBrowserKeys(db: AnnotationDb, trialName: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("annotation_version")
    .select(["version_id", "browser_key_hash"])
    .where("trial_name", "=", toColumnText(trialName))
    .where("browser_key_hash", "is not", null)
    .execute();
  return new Map(rows.map((row) => [row.version_id, row.browser_key_hash ?? ""]));
}

export async function selectBrowserKeys(db: AnnotationDb): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("annotation_version")
    .select(["version_id", "browser_key_hash"])
    .where("browser_key_hash", "is not", null)
    .execute();
  return new Map(rows.map((row) => [row.version_id, row.browser_key_hash ?? ""]));
}

export function findOwner(
  chain: readonly Pick<AnnotationEvent, "versionId">[],
  keys: ReadonlyMap<string, string>,
): string | null {
  const last = chain.findLast(({ versionId }) => keys.has(versionId));
  return last === undefined ? null : (keys.get(last.versionId) ?? null);
}
