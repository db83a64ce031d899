export const SUMMATION = {
  type: "string",
  value: "NAME",
  help: "How recorded means were summed: cpython-3.12 (default) or sequential (Python 3.11 and older).",
} as const;

/** Options of `assay view`, which `npm start` takes too. */
export const VIEW_OPTIONS = {
  port: { type: "string", value: "PORT", help: "Port to listen on, 0 for any free one (default 4680)." },
  host: {
    type: "string",
    value: "HOST",
    help: "Interface to listen on (default 127.0.0.1, this machine only).",
  },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "NAME",
    help: "Also answer to this name, besides localhost and the listening address; can be repeated.",
  },
  "behind-proxy": {
    type: "boolean",
    help: "Trust X-Forwarded-Host, X-Forwarded-Proto and X-Forwarded-For, which the proxy in front must set.",
  },
  "base-path": {
    type: "string",
    value: "PATH",
    help: "Serve the pages below this path, such as /assay, whether the proxy in front passes it on or removes it.",
  },
  "files-origin": {
    type: "string",
    value: "URL",
    help: "Serve raw files from this origin, which must lead here too (default: files.localhost on this machine).",
  },
  data: {
    type: "string",
    value: "DIR",
    help: "Folder for annotations (default $ASSAY_DATA, else the user's data folder).",
  },
  summation: SUMMATION,
} as const;
