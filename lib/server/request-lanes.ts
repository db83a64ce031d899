import type { ServerResponse } from "node:http";

/** A browser has six connections, and the benchmark `load` has twenty readers. */
const MOST_WAITING = 20;
/** The next request starts then, even if the client still reads the answer. */
const LONGEST_TURN_MS = 30_000;

/** SQLite runs in this process: parallel requests would finish no sooner and delay every other client. */
export class RequestLanes {
  readonly #waiting = new Map<string, Set<() => void>>();

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
