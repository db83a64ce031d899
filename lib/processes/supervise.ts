import type { SetAsideFile } from "@/lib/loader/large-files";

import { type EndCause, type LimitedOptions, LimitedProcess } from "./limited-process";
import { SetAsideFiles } from "./set-aside";

/** A process that is to run as long as this one, see {@link supervise}. */
export interface SupervisedOptions<Message> extends Omit<LimitedOptions<Message>, "onEnd"> {
  /** Called with every start, the first and those after an end; what it sends comes before anything else. */
  readonly onStart: (send: (message: object) => void, setAside: readonly SetAsideFile[]) => void;
  /** The process ended and is not started again. */
  readonly onGivenUp: (cause: EndCause) => void;
}

export interface Supervised {
  readonly send: (message: object) => void;
  /** Whether it keeps this program alive, as it does not at first. */
  readonly holdOpen: (isHeld: boolean) => void;
  /** Ends it for good; settles when it is gone. */
  readonly stop: () => Promise<void>;
}

/** Ends in a row, without a file to blame, that are taken for a passing trouble. */
const MOST_RESTARTS = 3;
/** A process that lived as long was well. Milliseconds. */
const WELL_MS = 60_000;

/** Starts a process and starts it again whenever it ends, without a large file that ends it. */
export function supervise<Message>(options: SupervisedOptions<Message>): Supervised {
  const setAside = new SetAsideFiles();
  let current: LimitedProcess<Message> | null = null;
  let nRestarts = 0;
  let isHeld = false;
  const send = (message: object): void => {
    // What a process that has just ended misses is sent again by `onStart` of the next one.
    current?.send(message);
  };
  const start = (): void => {
    const startedAt = performance.now();
    current = new LimitedProcess<Message>({
      ...options,
      onEnd: ({ cause, file }) => {
        current = null;
        if (performance.now() - startedAt > WELL_MS) nRestarts = 0;
        if (file === null) nRestarts++;
        else setAside.add(file, cause, options);
        if (nRestarts > MOST_RESTARTS) options.onGivenUp(cause);
        else start();
      },
    });
    current.hold(isHeld);
    options.onStart(send, setAside.list());
  };
  start();
  return {
    send,
    holdOpen: (held) => {
      isHeld = held;
      current?.hold(held);
    },
    stop: async () => {
      await current?.end();
    },
  };
}
