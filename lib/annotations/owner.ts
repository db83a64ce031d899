import { createHash } from "node:crypto";

import { toColumnText } from "@/lib/database";
import { ForbiddenError } from "@/lib/domain/app-error";

import type { TrialIdentity } from "@/lib/domain/annotation";

import { computeChains } from "./chain";
import { type AnnotationDb, type AnnotationEvent, type Claim, selectTrialEvents } from "./record";
import type { AnnotationStore } from "./store";

/** Who saves or undoes, apart from the name that was typed. */
export interface Actor {
  /** See {@link hashBrowserKey}; null for a program that is no browser, or a browser that keeps no cookies. */
  readonly browserKeyHash: string | null;
  /**
   * Of an account, what is stored of the browser's own key, under which judgments were saved before there were accounts: they are
   * the account's of that name. Undefined where there are no accounts.
   */
  readonly earlierKeyHash?: string | null;
  /** Whether every judgment may be changed, whoever saved it. */
  readonly isAdmin: boolean;
}

/** A program without a key, such as a test: it changes only what nobody's key protects. */
export const NO_ACTOR: Actor = { browserKeyHash: null, isAdmin: false };

/** Returns what is stored of a browser's key: SHA-256 in hexadecimal, from which the key, 256 random bits, cannot be found. */
export function hashBrowserKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/**
 * Returns what the next event of a reviewer's chain is stored with. A chain belongs to the last key that an event of it was
 * stored with. One without any, as before keys were, belongs to whoever changes it first, and so does one of which
 * nothing stands, as if nobody had judged under that name: there is nothing to protect, and what was undone stays in
 * the history as it was. What an admin changes stays the reviewer's, and says so.
 *
 * @param chain - the reviewer's events on the trial, which may be none
 * @throws ForbiddenError when a judgment stands that belongs to another browser
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

/** Returns the ids of the versions that a browser saved on trials of a name; none for whoever has no key. @throws StoreError */
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

/** Returns the ids of the versions that a browser saved for a queue; null where browsers have no key. @throws StoreError */
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

/** Returns the keys of the reviewers whose judgments of a trial this actor would change as an admin and not as themselves. */
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

/** The key that each event of trials of a name was stored with, by version id; events without one are absent. */
async function readBrowserKeys(db: AnnotationDb, trialName: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("annotation_version")
    .select(["version_id", "browser_key_hash"])
    .where("trial_name", "=", toColumnText(trialName))
    .where("browser_key_hash", "is not", null)
    .execute();
  return new Map(rows.map((row) => [row.version_id, row.browser_key_hash ?? ""]));
}

/** The key of every event of the store that has one, by version id. */
export async function selectBrowserKeys(db: AnnotationDb): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("annotation_version")
    .select(["version_id", "browser_key_hash"])
    .where("browser_key_hash", "is not", null)
    .execute();
  return new Map(rows.map((row) => [row.version_id, row.browser_key_hash ?? ""]));
}

/** The last key in a chain; null when no event of it has one. */
export function findOwner(
  chain: readonly Pick<AnnotationEvent, "versionId">[],
  keys: ReadonlyMap<string, string>,
): string | null {
  const last = chain.findLast(({ versionId }) => keys.has(versionId));
  return last === undefined ? null : (keys.get(last.versionId) ?? null);
}
