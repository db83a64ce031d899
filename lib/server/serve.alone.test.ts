import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { LaunchError } from "../core/domain/launch-error";
import { findProjectRoot } from "../read/processes/project-root";
import { serve } from "./serve";

let folder: string;
let occupied: Server | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-serve-"));
});

afterEach(() => {
  occupied?.close();
  occupied = null;
  delete process.env["ASSAY_DIST_DIR"];
  rmSync(folder, { recursive: true, force: true });
});

/** A build folder that looks finished, so that serving gets as far as the port. */
function pretendBuilt(): void {
  const built = join(folder, "built");
  mkdirSync(built);
  writeFileSync(join(built, "BUILD_ID"), "test");
  mkdirSync(join(built, "server"));
  writeFileSync(join(built, "server", "server-reference-manifest.json"), '{"node":{}}');
  process.env["ASSAY_DIST_DIR"] = relative(findProjectRoot(), built);
}

function takePort(): Promise<number> {
  const server = createServer();
  occupied = server;
  return new Promise((settle) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      settle(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

const fail = () => Promise.reject(new Error("must not be called"));
const SOMEBODY = {
  secret: "of the store",
  hasAdmin: () => Promise.resolve(true),
  admit: fail,
  answer: fail,
  flushLog: fail,
};

async function readRefusal(attempt: Promise<unknown>): Promise<LaunchError> {
  const reason: unknown = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  expect(reason).toBeInstanceOf(LaunchError);
  if (!(reason instanceof LaunchError)) throw new Error("not refused");
  return reason;
}

describe("serve fails, and says what to do", () => {
  it("names the folder that does not exist", async () => {
    const missing = join(folder, "jobs");
    const refusal = await readRefusal(serve({ roots: [missing] }));
    expect(refusal.code).toBe("folder-missing");
    expect(refusal.message).toContain(missing);
  });

  it("tells a file from a folder", async () => {
    const file = join(folder, "result.json");
    writeFileSync(file, "{}");
    const refusal = await readRefusal(serve({ roots: [file] }));
    expect(refusal.code).toBe("folder-missing");
    expect(refusal.message).toContain("is a file");
  });

  it("asks for a build if the pages are not built", async () => {
    process.env["ASSAY_DIST_DIR"] = relative(findProjectRoot(), join(folder, "nothing"));
    const refusal = await readRefusal(serve({ roots: [folder] }));
    expect(refusal.code).toBe("not-built");
    expect(refusal.message).toContain("npm run build");
  });

  it("names the rejected host name", async () => {
    const url = await readRefusal(serve({ roots: [folder], allowedHosts: ["https://build.example"] }));
    expect(url).toMatchObject({ code: "bad-argument" });
    expect(url.message).toContain("--allow-host");
  });

  it.each([
    { host: "0.0.0.0" },
    { host: "192.0.2.1" },
    { allowedHosts: ["build.example"] },
    { isBehindProxy: true },
  ])("lets others in with accounts only: %o", async (open) => {
    pretendBuilt();
    const nobody = {
      secret: "of the store",
      hasAdmin: () => Promise.resolve(false),
      admit: fail,
      answer: fail,
      flushLog: fail,
    };
    for (const team of [null, nobody]) {
      const refusal = await readRefusal(serve({ roots: [folder], port: 0, team, ...open }));
      expect(refusal.code).toBe("no-accounts");
      expect(refusal.message).toContain("assay accounts add NAME --role admin");
    }
  });

  it("names the taken port and another one", async () => {
    pretendBuilt();
    const port = await takePort();
    const refusal = await readRefusal(serve({ roots: [folder], port }));
    expect(refusal.code).toBe("port-taken");
    expect(refusal.message).toContain(`Port ${port} on 127.0.0.1 is in use`);
    expect(refusal.message).toContain("--port");
  });

  it("reports an address that this machine does not have", async () => {
    pretendBuilt();
    const refusal = await readRefusal(serve({ roots: [folder], host: "192.0.2.1", port: 0, team: SOMEBODY }));
    expect(refusal.code).toBe("listen-failed");
    expect(refusal.message).toContain("192.0.2.1");
  });
});
