import type { Server } from "node:http";

import { LaunchError } from "../core/domain/launch-error.ts";

export const DEFAULT_PORT = 4680;

/** @throws LaunchError `port-taken`, `listen-failed` */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((settle, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(describeListenError(error, host, port)));
    server.listen({ port, host }, () => {
      const address = server.address();
      settle(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function describeListenError(error: NodeJS.ErrnoException, host: string, port: number): LaunchError {
  const cause = { cause: error };
  if (error.code === "EADDRINUSE") {
    const other = port === DEFAULT_PORT ? DEFAULT_PORT + 1 : DEFAULT_PORT;
    return new LaunchError(
      "port-taken",
      `Port ${port} on ${host} is in use, perhaps by another Assay: open http://${host}:${port} to see, stop it, ` +
        `or choose another port with --port ${other}.`,
      cause,
    );
  }
  return new LaunchError("listen-failed", `Cannot listen on ${host} port ${port}: ${error.message}`, cause);
}
