import { createHash } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";

import { withoutBasePath } from "../core/domain/base-path.ts";

export interface Refusal {
  readonly status: 303 | 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 503;
  /** Plain text without anything from the request. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onward?: string;
}

export const NO_FRAMES = "frame-ancestors 'none'";

/** Colours and widths of the other pages, whose style sheet refused clients cannot load. */
const STYLE = `
:root { color-scheme: light dark; }
body {
  margin: 15vh auto 0; padding: 0 16px; max-width: 560px;
  font: 14px/1.5 system-ui, sans-serif; color: light-dark(#17191c, #e8eaed); background: light-dark(#fbfbf9, #0f1114);
}
h1 { font-size: 20px; }
a { color: light-dark(#1f4fd8, #8ab0ff); }
`;
const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; ${NO_FRAMES}`;

/** HTML with an allowed style and no script for browsers, JSON below the API, else plain text. Empty lines separate paragraphs. */
export function writeRefusal(
  { headers, url = "/" }: Pick<IncomingMessage, "headers" | "url">,
  { status, message, onward }: Pick<Refusal, "status" | "message" | "onward">,
): { readonly type: string; readonly body: string; readonly policy: string } {
  if (status !== 303 && withoutBasePath(url).startsWith("/api/v1/"))
    return {
      type: "application/json",
      body: JSON.stringify({ error: { code: nameCode(status), message: message.trim() } }),
      policy: POLICY,
    };
  if (headers.accept?.includes("text/html") !== true)
    return { type: "text/plain", body: message, policy: POLICY };
  const title = `${STATUS_CODES[status] ?? "Refused"} · Assay`;
  const paragraphs = message.trim().split("\n\n").map(escapeMarkup);
  const body = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${title}</h1>`,
    ...paragraphs.map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`),
    ...(onward === undefined ? [] : [`<p><a href="${onward}">Open the jobs</a></p>`]),
    "</main></body></html>\n",
  ];
  return { type: "text/html", body: body.join("\n"), policy: POLICY };
}

/** Matches the codes of the API's own errors, see `AppError`. */
function nameCode(status: Refusal["status"]): string {
  if (status === 400) return "invalid";
  return (STATUS_CODES[status] ?? "refused").toLowerCase().replaceAll(" ", "_");
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
