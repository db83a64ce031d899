import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createServer, type IncomingMessage, request as sendRequest } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DeleteObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";

/** The change to one request on its way; null lets it pass. */
type Fault =
  /** Answered as a server that has too much to do. */
  | { readonly kind: "slow-down" }
  /** Answered with another status and the name of an error. */
  | { readonly kind: "refuse"; readonly status: number; readonly code: string }
  /** The body breaks off behind a part of it. */
  | { readonly kind: "cut"; readonly share: number }
  /** The body is made another one. */
  | { readonly kind: "rewrite"; readonly rewrite: (body: string) => string };

/** A request as faults are chosen by it. */
interface SeenRequest {
  readonly isListing: boolean;
  /** Decoded key of the object; empty for a listing. */
  readonly key: string;
  readonly range: string | null;
  readonly isRetry: boolean;
}

export interface BucketServer {
  /** Its URL; `AWS_ENDPOINT_URL` while it runs. */
  readonly url: string;
  readonly put: (key: string, body: string | Uint8Array) => Promise<void>;
  readonly putFolder: (folder: string, prefix: string) => Promise<readonly string[]>;
  readonly remove: (key: string) => Promise<void>;
  /** Chooses what happens to requests from now on; forgets those that were seen. */
  readonly setFault: (choose: (request: SeenRequest) => Fault | null) => void;
  readonly seen: readonly SeenRequest[];
  readonly close: () => Promise<void>;
}

/** The name and secret that the server was made with. */
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };
/** Keys of one page of a listing, so that a few jobs have several. */
const PAGE_KEYS = 7;

const SERVER = createRequire(import.meta.url).resolve("@20minutes/s3rver");
/** Prints its port, and ends with its parent. Keys are signed for the server before it, so signatures are not compared. */
const PROGRAM = `
const [file, directory, name] = process.argv.slice(-3);
const Server = require(file);
new Server({ address: "127.0.0.1", port: 0, silent: true, allowMismatchedSignatures: true, directory, configureBuckets: [{ name }] })
  .run().then(({ port }) => process.stdout.write(String(port)));
process.stdin.on("end", () => process.exit()).resume();
`;

/** Starts a server that speaks S3, with an empty bucket, and something before it that can do harm. */
export async function startBucketServer(bucket: string): Promise<BucketServer> {
  const folder = mkdtempSync(join(tmpdir(), "bucket-"));
  // Its tokens of listings are of a cipher that OpenSSL has retired.
  const server = spawn(
    process.execPath,
    ["--openssl-legacy-provider", "-e", PROGRAM, "--", SERVER, folder, bucket],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const [said] = (await once(server.stdout, "data")) as [Buffer];
  const port = Number(said.toString("utf8"));
  const proxy = await startProxy(port);
  const client = new S3Client({
    ...{ endpoint: `http://127.0.0.1:${port}`, region: "us-east-1", forcePathStyle: true },
    credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
  });
  const put = async (key: string, body: string | Uint8Array) => {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: Buffer.from(body) }));
  };
  return {
    ...proxy,
    put,
    putFolder: async (folder, prefix) => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
      for (const file of files) await put(`${prefix}${file}`, readFileSync(join(folder, file)));
      return files;
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
    close: async () => {
      client.destroy();
      proxy.stop();
      server.kill("SIGKILL");
      await once(server, "exit");
    },
  };
}

async function startProxy(port: number) {
  let choose: (request: SeenRequest) => Fault | null = () => null;
  const seen: SeenRequest[] = [];
  const proxy = createServer((request, response) => {
    const asked = describe(request);
    seen.push(asked);
    const fault = choose(asked);
    if (fault?.kind === "slow-down" || fault?.kind === "refuse") {
      const { status, code } = fault.kind === "refuse" ? fault : { status: 503, code: "SlowDown" };
      response.writeHead(status, { "content-type": "application/xml" });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
      return;
    }
    const path = asked.isListing ? `${request.url}&max-keys=${PAGE_KEYS}` : request.url;
    const { method, headers } = request;
    sendRequest({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const body = Buffer.concat(parts);
        const text = fault?.kind === "rewrite" ? Buffer.from(fault.rewrite(body.toString("utf8"))) : body;
        const length = { "content-length": String(text.length) };
        response.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...length });
        if (fault?.kind !== "cut") response.end(text);
        else
          response.write(text.subarray(0, Math.floor(text.length * fault.share)), () => response.destroy());
      });
    }).end();
  });
  await new Promise<void>((listening) => void proxy.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    seen,
    setFault: (chosen: typeof choose) => {
      seen.length = 0;
      choose = chosen;
    },
    stop: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

function describe({ url = "/", headers }: IncomingMessage): SeenRequest {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const isListing = searchParams.get("list-type") === "2";
  const attempt = /attempt=(\d+)/.exec(String(headers["amz-sdk-request"] ?? ""))?.[1];
  return {
    isListing,
    key: isListing ? "" : decodeURIComponent(pathname.split("/").slice(2).join("/")),
    range: headers.range ?? null,
    isRetry: attempt !== undefined && attempt !== "1",
  };
}
