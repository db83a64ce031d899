export function flag(help: string) {
  return { type: "boolean", default: false, help } as const;
}

export function option(value: string, help: string) {
  return { type: "string", value, help } as const;
}

export const SUMMATION = option(
  "NAME",
  "Summation of recorded means: cpython-3.12 (default) or sequential (Python 3.11 and older).",
);

/** Options of `assay view`, which `npm start` takes too. */
export const VIEW_OPTIONS = {
  port: option("PORT", "Port to listen on, 0 for any free one (default 4680)."),
  host: option("HOST", "Interface to listen on (default 127.0.0.1, this machine only)."),
  "allow-host": {
    ...option(
      "NAME",
      "Also accept this host name, besides localhost and the listening address; can be repeated.",
    ),
    multiple: true,
  },
  "behind-proxy": flag(
    "Trust X-Forwarded-Host, X-Forwarded-Proto and X-Forwarded-For, which your proxy must set.",
  ),
  "base-path": option(
    "PATH",
    "Serve the pages below this path, such as /assay; your proxy may pass it on or strip it.",
  ),
  "files-origin": option(
    "URL",
    "Serve raw files from this origin, which must also resolve to this server (default: files.localhost on this machine).",
  ),
  data: option("DIR", "Folder of the annotations (default $ASSAY_DATA, else the user's data folder)."),
  summation: SUMMATION,
} as const;
