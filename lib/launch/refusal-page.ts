import { type IncomingMessage, STATUS_CODES } from "node:http";

/** What a request is answered that goes no further than the guard. */
export interface Refusal {
  readonly status: 303 | 400 | 401 | 403 | 404 | 405 | 413 | 415 | 503;
  /** Plain text for whoever asked, with nothing of the request in it. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of a page that whoever asked may see, which a browser is shown the way to. */
  readonly onward?: string;
}

/**
 * The body of an answer that goes no further than the guard, and its type: a page for browsers, without style and script,
 * which its policy would not let in; plain text for everybody else. An empty line of `message` parts paragraphs.
 */
export function writeRefusal(
  { headers }: Pick<IncomingMessage, "headers">,
  { status, message, onward }: Pick<Refusal, "status" | "message" | "onward">,
): { readonly type: string; readonly body: string } {
  if (headers.accept?.includes("text/html") !== true) return { type: "text/plain", body: message };
  const title = `${STATUS_CODES[status] ?? "Refused"} · Assay`;
  const paragraphs = message.trim().split("\n\n").map(escapeMarkup);
  const body = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${title}</title></head>`,
    `<body><main><h1>${title}</h1>`,
    ...paragraphs.map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`),
    ...(onward === undefined ? [] : [`<p><a href="${onward}">Open the jobs</a></p>`]),
    "</main></body></html>\n",
  ];
  return { type: "text/html", body: body.join("\n") };
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
