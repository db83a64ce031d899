import { type ChildProcess, fork } from "node:child_process";

import { FRUGAL_MALLOC } from "@/lib/domain/frugal-malloc";
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
  /** Whether it is the one that talks to a bucket, and so is given what opens it. */
  readonly mayReachBuckets?: boolean;
  /** Called with whatever the process says, but for the large files it is at. */
  readonly onMessage: (message: Message) => void;
  /** Called once, when it ended without {@link LimitedProcess.end}. */
  readonly onEnd: (end: ProcessEnd) => void;
}

export type EndCause = "memory" | "time" | "unknown";

export interface ProcessEnd {
  readonly cause: EndCause;
  /** The large file that it was at; null when at none, or when it was its work that took too long. */
  readonly file: FileVersion | null;
  /** Goes on after "it ended", such as "for want of memory". */
  readonly how: string;
}

/** What opens buckets, in the names that every tool of AWS knows. */
const BUCKET_SECRETS = /^AWS_/u;
/** What this program proves itself with to the provider that people sign in through. */
const OIDC_SECRETS = /^ASSAY_OIDC_/u;
/** How V8 ends a program that has no memory left, where it does not abort it. */
const OUT_OF_MEMORY_CODE = 134;

/**
 * A process of this program's own within limits of memory and time. It does not keep this program alive until {@link hold}
 * says so, knows nothing that opens a bucket unless it talks to one, and has to end when its channel closes.
 */
export class LimitedProcess<Message> {
  private readonly child: ChildProcess;
  private readonly options: LimitedOptions<Message>;
  private file: FileVersion | null = null;
  /** When the time for its file and that for its work are over, on the clock of `performance`. */
  private fileEndsAt = Infinity;
  private workEndsAt = Infinity;
  private timer: NodeJS.Timeout | undefined;
  /** False once it ended or was told to: nothing that it says counts any more. */
  private isHeard = true;

  constructor(options: LimitedOptions<Message>) {
    this.options = options;
    const { script, args = [], memoryMb, isRoomy = false, mayReachBuckets = false } = options;
    const isPassedOn = (name: string): boolean =>
      !OIDC_SECRETS.test(name) && (mayReachBuckets || !BUCKET_SECRETS.test(name));
    this.child = fork(script, args, {
      // Without limits a process lets garbage pile up to several times what it needs.
      execArgv: [`--max-old-space-size=${memoryMb}`, ...(isRoomy ? [] : ["--max-semi-space-size=4"])],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: {
        // As it was, but for names that nothing asks of it.
        ...(Object.fromEntries(
          Object.entries(process.env).filter(([name]) => isPassedOn(name)),
        ) as NodeJS.ProcessEnv),
        ...FRUGAL_MALLOC,
      },
    });
    this.hold(false);
    this.child.on("message", (message: Message | AtFile) => {
      if (!this.isHeard) return;
      if (isAtFile(message)) this.enterFile(message.file);
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
    const change = isHeld ? "ref" : "unref";
    this.child[change]();
    this.child.channel?.[change]();
  }

  /** Gives it so many milliseconds from now for its work, for whose end no file is to blame. */
  giveTime(ms: number): void {
    this.workEndsAt = performance.now() + ms;
    this.setTimer();
  }

  /** It is at nothing any more, whether it said so or not, and has all the time. */
  rest(): void {
    this.workEndsAt = Infinity;
    this.enterFile(null);
  }

  /** Ends it without a word; settles when it is gone. */
  async end(): Promise<void> {
    this.isHeard = false;
    this.rest();
    if (this.child.pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null)
      return;
    const gone = new Promise<void>((settle) => this.child.once("exit", () => settle()));
    this.child.ref();
    this.child.kill("SIGKILL");
    await gone;
  }

  private enterFile(file: FileVersion | null): void {
    this.file = file;
    this.fileEndsAt = file === null ? Infinity : performance.now() + this.options.fileMs;
    this.setTimer();
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    const endsAt = Math.min(this.fileEndsAt, this.workEndsAt);
    if (endsAt === Infinity) return;
    // While this program was busy, the process may have said what gives it more time: that is read first.
    const onTime = () => setImmediate(() => this.checkTime());
    this.timer = setTimeout(onTime, Math.max(0, endsAt - performance.now())).unref();
  }

  private checkTime(): void {
    if (performance.now() < Math.min(this.fileEndsAt, this.workEndsAt)) this.setTimer();
    else this.finish("time", "after too long a time", this.fileEndsAt <= this.workEndsAt ? this.file : null);
  }

  private onGone(): void {
    const { exitCode, signalCode } = this.child;
    if (signalCode === "SIGABRT" || exitCode === OUT_OF_MEMORY_CODE)
      this.finish("memory", "for want of memory", this.file);
    else this.finish("unknown", `with ${signalCode ?? exitCode ?? "no code"}`, this.file);
  }

  private finish(cause: EndCause, how: string, file: FileVersion | null): void {
    if (!this.isHeard) return;
    // It may live, and also when it could not be talked to.
    void this.end();
    this.options.onEnd({ cause, how, file });
  }
}

function isAtFile(message: unknown): message is AtFile {
  return typeof message === "object" && message !== null && "kind" in message && message.kind === "at-file";
}
