import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An object as a listing has it; all of it may be a lie. */
export interface Listed {
  readonly key: string;
  readonly size?: number | string;
  readonly etag?: string;
  readonly modified?: string;
}

/** A server that speaks S3 and says anything. */
export interface LyingServer {
  readonly url: string;
  /** Answers requests for a listing, and those for an object, from here on. */
  answers: Answers;
  /** Paths with their queries, since the start. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
}

interface Answers {
  readonly list: (response: ServerResponse, token: string | null) => void;
  readonly get?: (response: ServerResponse, key: string, request: IncomingMessage) => void;
}

/** Starts it; without a bucket, since it makes up everything. */
export async function startLyingServer(): Promise<LyingServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    asked.push(request.url ?? "/");
    const key = decodeURIComponent(pathname.split("/").slice(2).join("/"));
    if (searchParams.has("list-type")) running.answers.list(response, searchParams.get("continuation-token"));
    else running.answers.get?.(response, key, request);
  });
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  const running: LyingServer = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    answers: { list: (response) => void response.end(writeListing([])) },
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return running;
}

/** A page of a listing. @param token - of the next page; none when it is the last */
export function writeListing(objects: readonly Listed[], token?: string): string {
  const contents = objects.map(
    ({ key, size = 2, etag = '"a"', modified = "2026-01-01T00:00:00.000Z" }) =>
      `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${modified}</LastModified>` +
      `<ETag>${etag.replaceAll('"', "&quot;")}</ETag><Size>${size}</Size></Contents>`,
  );
  const more = token === undefined ? "" : `<NextContinuationToken>${token}</NextContinuationToken>`;
  return (
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${String(token !== undefined)}</IsTruncated>` +
    `<EncodingType>url</EncodingType>${more}${contents.join("")}</ListBucketResult>`
  );
}
