import { type ChildProcess, fork } from "node:child_process";

import type { FileVersion, SetAsideFile } from "@/lib/loader/large-files";

import { readChildEnvironment } from "./child-environment";
import { holdOpen } from "./hold-open";
import { type EndCause, findEndCause, SetAsideFiles } from "./set-aside";

/** A process that is to run as long as this one, see {@link supervise}. */
export interface SupervisedOptions<Message> {
  readonly script: string;
  readonly args: readonly string[];
  /** Its heap in MiB, and the time it has for one large file in milliseconds. */
  readonly limits: { readonly memoryMb: number; readonly fileMs: number };
  /** Called with every start, the first and those after an end; what it sends comes before anything else. */
  readonly onStart: (send: (message: object) => void, setAside: readonly SetAsideFile[]) => void;
  /** Called with whatever the process says, but for the large files it is at. */
  readonly onMessage: (message: Message) => void;
  /** The process ended and is not started again. */
  readonly onGivenUp: (cause: EndCause) => void;
}

/** A process that is started again when it ends. */
export interface Supervised {
  readonly send: (message: object) => void;
  /** Whether it keeps this program alive, as it does not at first. */
  readonly holdOpen: (isHeld: boolean) => void;
  /** Ends it for good; settles when it is gone. */
  readonly stop: () => Promise<void>;
}

/** Ends without a file to blame that are taken for a passing trouble. */
const MOST_RESTARTS = 3;

/** What a supervised process tells of itself, see `watchLargeFiles`. */
export interface AtFile {
  readonly kind: "at-file";
  readonly file: FileVersion | null;
}

/**
 * Starts a process and starts it again whenever it ends, without the large file that it was at. It has to end when its channel
 * closes.
 */
export function supervise<Message>(options: SupervisedOptions<Message>): Supervised {
  const { script, args, limits } = options;
  const setAside = new SetAsideFiles();
  let child: ChildProcess | null = null;
  let nRestarts = 0;
  let isStopped = false;
  let isHeld = false;
  const start = (): void => {
    const own = fork(script, args, {
      execArgv: [`--max-old-space-size=${limits.memoryMb}`, "--max-semi-space-size=4"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: readChildEnvironment(),
    });
    child = own;
    holdOpen(own, isHeld);
    let file: FileVersion | null = null;
    let timer: NodeJS.Timeout | null = null;
    let isOutOfTime = false;
    let isGone = false;
    const watchTime = (): void => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      if (file === null) return;
      timer = setTimeout(() => {
        isOutOfTime = true;
        own.kill("SIGKILL");
      }, limits.fileMs).unref();
    };
    own.on("message", (message: Message | AtFile) => {
      if (isAtFile(message)) {
        ({ file } = message);
        watchTime();
      } else options.onMessage(message);
    });
    const onGone = (): void => {
      if (isGone) return;
      isGone = true;
      const cause = findEndCause(own, isOutOfTime);
      const endedBy = file;
      file = null;
      watchTime();
      child = null;
      if (isStopped) return;
      if (endedBy !== null) setAside.add(endedBy, cause, limits);
      else nRestarts++;
      if (nRestarts > MOST_RESTARTS) options.onGivenUp(cause);
      else start();
    };
    own.on("error", onGone);
    own.on("exit", onGone);
    options.onStart(send, setAside.list());
  };
  const send = (message: object): void => {
    // A message to a process that has just ended is sent again by `onStart` of the next one.
    if (child?.connected === true) child.send(message, () => undefined);
  };
  start();
  return {
    send,
    holdOpen: (held) => {
      isHeld = held;
      if (child !== null) holdOpen(child, held);
    },
    stop: async () => {
      isStopped = true;
      const own = child;
      if (own === null || own.exitCode !== null || own.signalCode !== null) return;
      const gone = new Promise<void>((settle) => own.once("exit", () => settle()));
      own.ref();
      own.kill("SIGKILL");
      await gone;
    },
  };
}

function isAtFile(message: unknown): message is AtFile {
  return typeof message === "object" && message !== null && "kind" in message && message.kind === "at-file";
}
