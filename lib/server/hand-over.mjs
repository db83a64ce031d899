import { spawn } from "node:child_process";

export function handOver(nodePath, entry) {
  const child = spawn(nodePath, [...process.execArgv, entry, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`Cannot run ${nodePath}: ${error.message}\n`);
    process.exit(2);
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
  });
}
