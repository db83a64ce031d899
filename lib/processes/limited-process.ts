import { type ChildProcess, fork } from "node:child_process";

import type { FileVersion } from "@/lib/loader/large-files";

import type { AtFile } from "./protocol";

/** How a process is started and watched, see {@link LimitedProcess}. */
export interface LimitedOptions<Message> {
  /** The bundled program, and what it is called with. */
  readonly script: string;
  readonly args?: readonly string[];
  /** JavaScript heap in MiB. */
  readonly memoryMb: number;
  /** Whether short-lived values get as much room as V8 likes, which is several times what most work needs. */
  readonly isRoomy?: boolean;
  /** Time for one large file, in milliseconds. */
  readonly fileMs: number;
  /** Called with whatever the process says, but for the large files it is at. */
  readonly onMessage: (message: Message) => void;
  /** Called once, when it ended without {@link LimitedProcess.end}. */
  readonly onEnd: (end: ProcessEnd) => void;
}

/** What ended a process. */
export type EndCause = "memory" | "time" | "unknown";

/** How a process ended by itself. */
export interface ProcessEnd {
  readonly cause: EndCause;
  /** The large file that it was at; null when at none. */
  readonly file: FileVersion | null;
  /** Its signal or exit code, to be printed. */
  readonly code: string;
}

/** What opens doors of the program that is served, and is nothing to whoever parses what nobody vouches for. */
const SECRETS: ReadonlySet<string> = new Set(["ASSAY_TOKEN", "ASSAY_ADMIN_TOKEN"]);
/** How V8 ends a program that has no memory left, where it does not abort it. */
const OUT_OF_MEMORY_CODE = 134;

/**
 * A process of this program's own with a limit of memory, and of time for each large file that it tells of. It does not keep this
 * program alive until {@link hold} says so, knows no tokens, and has to end when its channel closes.
 */
export class LimitedProcess<Message> {
  private readonly child: ChildProcess;
  private readonly options: LimitedOptions<Message>;
  private file: FileVersion | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isOutOfTime = false;
  private isOver = false;

  constructor(options: LimitedOptions<Message>) {
    this.options = options;
    const { script, args = [], memoryMb, isRoomy = false } = options;
    this.child = fork(script, args, {
      // Without limits a process lets garbage pile up to several times what it needs.
      execArgv: [`--max-old-space-size=${memoryMb}`, ...(isRoomy ? [] : ["--max-semi-space-size=4"])],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !SECRETS.has(name)),
      ) as NodeJS.ProcessEnv, // As it was, but for names that nothing asks of it.
    });
    this.hold(false);
    this.child.on("message", (message: Message | AtFile) => {
      if (isAtFile(message)) this.watchFile(message.file);
      else options.onMessage(message);
    });
    this.child.on("error", () => this.onGone());
    this.child.on("exit", () => this.onGone());
  }

  /** Nothing is sent to a process that has ended. */
  send(message: object): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  /** Says whether it keeps this program alive. */
  hold(isHeld: boolean): void {
    if (isHeld) {
      this.child.ref();
      this.child.channel?.ref();
    } else {
      this.child.unref();
      this.child.channel?.unref();
    }
  }

  /** Its large file is no longer at work, whether it said so or not. */
  leaveFile(): void {
    this.watchFile(null);
  }

  /** Ends it for want of time, for which no file is to blame. */
  stopInTime(): void {
    this.watchFile(null);
    this.stopOutOfTime();
  }

  /** Ends it; settles when it is gone. */
  async end(): Promise<void> {
    this.isOver = true;
    this.watchFile(null);
    if (this.child.pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null)
      return;
    const gone = new Promise<void>((settle) => this.child.once("exit", () => settle()));
    this.child.ref();
    this.child.kill("SIGKILL");
    await gone;
  }

  private watchFile(file: FileVersion | null): void {
    this.file = file;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (file === null) return;
    this.timer = setTimeout(() => this.stopOutOfTime(), this.options.fileMs).unref();
  }

  private stopOutOfTime(): void {
    this.isOutOfTime = true;
    this.child.kill("SIGKILL");
  }

  private onGone(): void {
    if (this.isOver) return;
    this.isOver = true;
    const { file } = this;
    this.watchFile(null);
    const { exitCode, signalCode } = this.child;
    // It may live although it could not be talked to.
    if (exitCode === null && signalCode === null) this.child.kill("SIGKILL");
    const isFull = signalCode === "SIGABRT" || exitCode === OUT_OF_MEMORY_CODE;
    const cause = this.isOutOfTime ? "time" : isFull ? "memory" : "unknown";
    this.options.onEnd({ cause, file, code: signalCode ?? String(exitCode ?? "no code") });
  }
}

function isAtFile(message: unknown): message is AtFile {
  return typeof message === "object" && message !== null && "kind" in message && message.kind === "at-file";
}
