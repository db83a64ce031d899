import { type AuditEvent, recordEvent } from "./audit";
import { ACTION_ROLES, SESSION_ROLES } from "./permissions";
import type { AccountStore } from "./store";

const MINUTE_MS = 60_000;

/** Limits the lines of one actor in a minute. A line takes 165 bytes in SQLite, so 300 a minute are 71 MB a day. */
export const MOST_LINES = { allowed: 300, refused: 60 } as const;

export type BoundedLog = ReturnType<typeof boundLog>;

/** Bounds the lines that one actor can cause on this server: an account's id, "strangers", or "sign-ins" of strangers. */
export function boundLog(store: AccountStore) {
  let minute = 0;
  let timer: NodeJS.Timeout | null = null;
  const counts = new Map<string, number>();
  const leftOut = new Map<string, { readonly event: AuditEvent; readonly at: number; readonly n: number }>();
  const hasRoom = (outcome: keyof typeof MOST_LINES, actor: string): boolean => {
    const now = Math.floor(Date.now() / MINUTE_MS);
    if (now !== minute) counts.clear();
    minute = now;
    const n = (counts.get(`${outcome} ${actor}`) ?? 0) + 1;
    counts.set(`${outcome} ${actor}`, n);
    return n <= MOST_LINES[outcome];
  };
  const leaveOut = (event: AuditEvent, actor: string) => {
    const isNamed = Object.hasOwn(ACTION_ROLES, event.action) || Object.hasOwn(SESSION_ROLES, event.action);
    const action = isNamed ? event.action : "other requests";
    const key = `${minute} ${actor} ${action}`;
    const before = leftOut.get(key);
    const account = event.account?.id === actor ? event.account : null;
    const address = (before?.event.address ?? event.address) === event.address ? event.address : "several";
    leftOut.set(key, { event: { ...event, account, address, action }, at: minute, n: (before?.n ?? 0) + 1 });
    timer ??= setTimeout(() => {
      timer = null;
      flush().catch(() => undefined);
    }, findRest()).unref();
  };
  const flush = async () => {
    for (const [key, left] of [...leftOut]) {
      const start = new Date(left.at * MINUTE_MS).toISOString();
      const detail = `and ${left.n} more refusals of ${left.event.action} in the minute from ${start}`;
      await recordEvent(store, { ...left.event, detail });
      leftOut.delete(key);
    }
  };
  return {
    flush,
    countChange: (id: string): number | null =>
      hasRoom("allowed", id) ? null : Math.ceil(findRest() / 1000),
    /** A refusal beyond the bound is counted for a line at the end of the minute. */
    record: async (event: AuditEvent, actor: string): Promise<void> => {
      if (event.outcome === "allowed" || hasRoom("refused", actor)) await recordEvent(store, event);
      else leaveOut(event, actor);
    },
  };
}

const findRest = () => MINUTE_MS - (Date.now() % MINUTE_MS);
