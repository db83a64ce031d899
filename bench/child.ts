import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** How a measured process ended. */
export interface Exit {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** From spawn to exit. */
  readonly wallMs: number;
  /** Highest resident memory of the process and its descendants; null where /proc is not there. */
  readonly peakBytes: number | null;
}

/** A running process that is surely ended: by {@link Child.stop}, and with the harness. */
export interface Child {
  readonly process: ChildProcess;
  readonly startedAt: number;
  readonly exited: Promise<Exit>;
  /** The first match of `pattern` in the output, as soon as it is there. Rejects when the process ends before. */
  readonly waitFor: (pattern: RegExp, timeoutMs: number) => Promise<RegExpExecArray>;
  readonly readPeakBytes: () => number | null;
  readonly stop: () => Promise<Exit>;
}

const POLL_MS = 50;
const GRACE_MS = 5_000;
const running = new Set<ChildProcess>();

/** The process and everything it started, which share its group. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

function stopAll(): void {
  for (const child of running) signalGroup(child, "SIGKILL");
}
process.on("exit", stopAll);
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const) {
  process.on(signal, () => process.exit(code));
}

/** Starts a program in a process group of its own. */
export function startChild(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Child {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...env },
  });
  running.add(child);
  const output = { stdout: "", stderr: "" };
  child.stdin.on("error", () => undefined);
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => (output[name] += chunk));
  }
  const memory = watchMemory(child);
  const exited = new Promise<Exit>((settle) => {
    const end = (code: number): void => {
      memory.stop();
      running.delete(child);
      settle({ code, ...output, wallMs: performance.now() - startedAt, peakBytes: memory.readPeakBytes() });
    };
    child.on("error", (error) => {
      output.stderr += error.message;
      end(127);
    });
    child.on("close", (code) => end(code ?? 1));
  });
  const stop = async (): Promise<Exit> => {
    signalGroup(child, "SIGTERM");
    const timer = setTimeout(() => signalGroup(child, "SIGKILL"), GRACE_MS);
    const exit = await exited;
    clearTimeout(timer);
    return exit;
  };
  const waitFor = (pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray> =>
    waitForOutput(child, exited, () => output.stdout, pattern, timeoutMs);
  return { process: child, startedAt, exited, waitFor, readPeakBytes: memory.readPeakBytes, stop };
}

/** Runs a program to its end; it is killed after `timeoutMs`. */
export async function runChild(
  command: string,
  args: readonly string[],
  timeoutMs = 1_800_000,
): Promise<Exit> {
  const child = startChild(command, args);
  child.process.stdin?.end();
  const timer = setTimeout(() => signalGroup(child.process, "SIGKILL"), timeoutMs);
  const exit = await child.exited;
  clearTimeout(timer);
  return exit;
}

function waitForOutput(
  child: ChildProcess,
  exited: Promise<Exit>,
  read: () => string,
  pattern: RegExp,
  timeoutMs: number,
): Promise<RegExpExecArray> {
  return new Promise((settle, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`nothing matched ${String(pattern)} within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    const poll = (): void => {
      const match = pattern.exec(read());
      if (match === null) return;
      clearTimeout(timer);
      child.stdout?.off("data", poll);
      settle(match);
    };
    child.stdout?.on("data", poll);
    void exited.then(({ code, stderr }) => {
      clearTimeout(timer);
      reject(new Error(`ended with ${code}: ${stderr.trim().slice(0, 500)}`));
    });
    poll();
  });
}

interface MemoryWatch {
  readonly readPeakBytes: () => number | null;
  readonly stop: () => void;
}

/** What a program and all that it started have at one moment, and the most of it that was seen. Processes come and go. */
function watchMemory(child: ChildProcess): MemoryWatch {
  let peak: number | null = null;
  let own = 0;
  const poll = (): void => {
    if (child.pid === undefined) return;
    own = Math.max(own, readStatus(child.pid, "VmHWM") ?? 0);
    const now = readMemory(child.pid);
    if (now !== null) peak = Math.max(peak ?? 0, now, own);
  };
  const timer = setInterval(poll, POLL_MS).unref();
  return {
    readPeakBytes: () => {
      poll();
      return peak;
    },
    stop: () => clearInterval(timer),
  };
}

/** Memory of a process and all that it started, in bytes; null when it is gone. */
export function readMemory(pid: number): number | null {
  const sizes = listTree(pid).flatMap((one) => readStatus(one, "VmRSS") ?? []);
  return sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0);
}

function readStatus(pid: number, name: "VmHWM" | "VmRSS"): number | null {
  try {
    const match = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return match === null ? null : Number(match[1]) * 1024;
  } catch {
    return null;
  }
}

function listTree(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" "))
      .filter((text) => text !== "")
      .map(Number);
    return [pid, ...children.flatMap(listTree)];
  } catch {
    return [pid];
  }
}
