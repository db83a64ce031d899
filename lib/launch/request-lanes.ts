import type { ServerResponse } from "node:http";

/**
 * Requests of one client for one route that are worked on at once. The database answers in this process, so several take as long one
 * after the other, and others wait for one of them instead of all.
 */
const AT_ONCE = 1;
/** A browser has six connections; twenty readers of one machine are measured in `bench`. */
const MOST_WAITING = 20;
/** Milliseconds after which a client that takes its answer slowly no longer holds its others up. */
const LONGEST_TURN_MS = 30_000;

interface Lane {
  nAtWork: number;
  /** Each takes over the turn of a request that has ended. */
  readonly waiting: Set<() => void>;
}

/** Gives each client one turn at a time on each route, in the order in which it asked. */
export class RequestLanes {
  readonly #lanes = new Map<string, Lane>();

  /**
   * Waits for a turn, which lasts until the response is closed.
   *
   * @returns "full" if too many wait already, "gone" if the client went away meanwhile
   */
  async enter(name: string, response: ServerResponse): Promise<"started" | "full" | "gone"> {
    const lane = this.#lanes.get(name) ?? { nAtWork: 0, waiting: new Set() };
    if (lane.nAtWork < AT_ONCE) {
      lane.nAtWork += 1;
      this.#lanes.set(name, lane);
    } else {
      if (lane.waiting.size >= MOST_WAITING) return "full";
      if (!(await waitInLane(lane, response))) return "gone";
    }
    const leave = (): void => {
      clearTimeout(timer);
      response.off("close", leave);
      const [next] = lane.waiting;
      if (next !== undefined) next();
      else if (--lane.nAtWork === 0) this.#lanes.delete(name);
    };
    const timer = setTimeout(leave, LONGEST_TURN_MS).unref();
    response.once("close", leave);
    return "started";
  }
}

/** Returns false if the client goes away. */
function waitInLane({ waiting }: Lane, response: ServerResponse): Promise<boolean> {
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
