import { hash } from "node:crypto";

import type { TrialIdentity } from "@/lib/core/domain/annotation";
import { ForbiddenError } from "@/lib/core/domain/app-error";
import { toColumnText } from "@/lib/store/database";

import { type AnnotationEvent, computeChains, readJudgments, selectTrialEvents } from "./record";
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
  return hash("sha256", key);
}

/**
 * A chain belongs to the last key stored in it. A chain without a key or a current judgment belongs to the browser that changes it
 * first: nothing needs protection, and withdrawn judgments stay in the history. An admin's change keeps the owner and is marked.
 */
export function claimChain(
  chain: readonly AnnotationEvent[],
  actor: Actor,
): { readonly actor: string | null; readonly savedBy: "admin" | null } {
  const own = { actor: actor.browserKeyHash, savedBy: null };
  const last = chain.at(-1);
  if (last === undefined) return own;
  const owner = findOwner(chain);
  const isOwn = isOwnKey(actor, owner);
  if (actor.isAdmin && !isOwn) return { actor: null, savedBy: "admin" };
  if (owner === null || isOwn || !isStanding(chain)) return own;
  throw new ForbiddenError(
    actor.earlierKeyHash === undefined
      ? `The judgment of ${last.author} was saved in another browser, and only that browser can change or undo it. ` +
          `Use another name, or ask your administrator.`
      : `The judgment of ${last.author} was saved in another browser before there were accounts. ` +
          `Change it there, signed in, or ask an admin.`,
  );
}

export function isStanding(chain: readonly AnnotationEvent[]): boolean {
  return computeChains(chain).some(({ current }) => current !== null);
}

/** True for admins and the browser that made it. Statements of an unknown browser are open to all. */
export function mayChange(maker: string | null, actor: Pick<Actor, "browserKeyHash" | "isAdmin">): boolean {
  return actor.isAdmin || maker === null || maker === actor.browserKeyHash;
}

export async function readOwnIds(store: AnnotationStore, trialName: string, actor: Actor) {
  const name = toColumnText(trialName);
  return (await readIds(store, actor, ({ subject }) => subject === name)) ?? new Set();
}

export function readOwnQueueIds(
  store: AnnotationStore,
  queueId: string,
  actor: Pick<Actor, "browserKeyHash" | "earlierKeyHash">,
): Promise<ReadonlySet<string> | null> {
  return readIds(store, actor, ({ body }) => body.queue?.queueId === queueId);
}

/** Returns null without a key. */
async function readIds(
  store: AnnotationStore,
  actor: Pick<Actor, "browserKeyHash" | "earlierKeyHash">,
  isWanted: (event: AnnotationEvent) => boolean,
): Promise<ReadonlySet<string> | null> {
  if (actor.browserKeyHash === null) return null;
  const { events } = await readJudgments(store);
  const own = events.filter((event) => isWanted(event) && isOwnKey(actor, event.actor));
  return new Set(own.map(({ id }) => id));
}

export function listOthersOfAdmin(store: AnnotationStore, trial: TrialIdentity, actor: Actor) {
  if (!actor.isAdmin) return Promise.resolve([]);
  return store.read<readonly string[]>([], async (db) => {
    const events = await selectTrialEvents(db, trial);
    return [...Map.groupBy(events, ({ reviewerKey }) => reviewerKey)].flatMap(([reviewerKey, chain]) =>
      isOwnKey(actor, findOwner(chain)) ? [] : reviewerKey,
    );
  });
}

function isOwnKey(
  { browserKeyHash, earlierKeyHash }: Pick<Actor, "browserKeyHash" | "earlierKeyHash">,
  hash: string | null,
): boolean {
  return hash === browserKeyHash || (hash !== null && hash === earlierKeyHash);
}

export function findOwner(chain: readonly AnnotationEvent[]): string | null {
  return chain.findLast(({ actor }) => actor !== null)?.actor ?? null;
}
