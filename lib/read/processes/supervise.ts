import type { SetAsideFile } from "@/lib/read/loader/large-files";

import { type EndCause, type LimitedOptions, LimitedProcess } from "./limited-process";
import { SetAsideFiles } from "./set-aside";

export interface SupervisedOptions<Message> extends Omit<LimitedOptions<Message>, "onEnd"> {
  /** Called after every start, before any other message is sent. */
  readonly onStart: (send: (message: object) => void, setAside: readonly SetAsideFile[]) => void;
  readonly onGivenUp: (cause: EndCause) => void;
}

export interface Supervised {
  readonly send: (message: object) => void;
  /** Sets whether it keeps this program alive; false at first. */
  readonly holdOpen: (isHeld: boolean) => void;
  readonly stop: () => Promise<void>;
}

/** Restarts in a row, without a file to blame, before the process is given up. */
const MOST_RESTARTS = 3;
/** A process that lived longer resets the restart count. Milliseconds. */
const WELL_MS = 60_000;

export function supervise<Message>(options: SupervisedOptions<Message>): Supervised {
  const setAside = new SetAsideFiles();
  let current: LimitedProcess<Message> | null = null;
  let nRestarts = 0;
  let isHeld = false;
  const send = (message: object): void => {
    // `onStart` of the next process sends what an ended one misses.
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
