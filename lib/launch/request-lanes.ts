import type { ServerResponse } from "node:http";

/** A browser has six connections; twenty readers of one machine are measured in `bench`. */
const MOST_WAITING = 20;
/** Milliseconds after which a client that takes its answer slowly no longer holds its others up. */
const LONGEST_TURN_MS = 30_000;

/**
 * Gives each client one turn at a time on each route, in the order in which it asked. The database answers in this process: several
 * requests take as long one after the other, and other clients wait for one of them instead of all.
 */
export class RequestLanes {
  /** By lane with a request at work: starts of those that wait. */
  readonly #waiting = new Map<string, Set<() => void>>();

  /**
   * Waits for a turn, which lasts until the response is closed.
   *
   * @returns "full" if too many wait already, "gone" if the client went away meanwhile
   */
  async enter(lane: string, response: ServerResponse): Promise<"started" | "full" | "gone"> {
    if (response.closed) return "gone";
    const waiting = this.#waiting.get(lane);
    if (waiting === undefined) this.#waiting.set(lane, new Set());
    else if (waiting.size >= MOST_WAITING) return "full";
    else if (!(await waitInLane(waiting, response))) return "gone";
    const leave = (): void => {
      clearTimeout(timer);
      response.off("close", leave);
      const [next] = this.#waiting.get(lane) ?? [];
      if (next === undefined) this.#waiting.delete(lane);
      else next();
    };
    const timer = setTimeout(leave, LONGEST_TURN_MS).unref();
    response.once("close", leave);
    return "started";
  }
}

/** Returns false if the client goes away. */
function waitInLane(waiting: Set<() => void>, response: ServerResponse): Promise<boolean> {
  return new Promise((settle) => {
    const end = (hasTurn: boolean): void => {
      waiting.delete(start);
      response.off("close", leave);
      settle(hasTurn);
    };
    const start = (): void => end(true);
    const leave = (): void => end(false);
    waiting.add(start);
    response.once("close", leave);
  });
}
