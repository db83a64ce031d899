// One rule per room of ARCHITECTURE.md: an import that is not allowed here is an error. Tests may import anything.

const TEST = "\\.(test|fixture)\\.tsx?$";
const npm = (...names) => `node_modules/(${names.join("|")})/`;
const room = (...names) => `^lib/(${names.join("|")})/`;
/** Values of these parts may reach the browser. */
const CLIENT_CORE = [
  "^lib/core/(domain|fields|format|charts)/",
  "^lib/core/triage/(classes|signals|troubles)\\.ts$",
];
const ADDRESSES = ["^lib/pages/address/", "^lib/pages/[^/]+/[a-z-]*address\\.ts$"];
const ACTIONS = "^lib/pages/[^/]+/[a-z-]*actions\\.ts$";
const REACT = npm("react", "react-dom", "@types/react", "@types/react-dom");

/** `from` may import itself and `to`. */
const allow = (from, ...to) => ({ from: { path: from, pathNot: TEST }, to: { path: [from, ...to] } });
const allowNode = (...from) => ({ from: { path: from, pathNot: TEST }, to: { dependencyTypes: ["core"] } });
const allowTypes = (from, ...to) => ({
  from: { path: from, pathNot: TEST },
  to: { path: to, dependencyTypes: ["type-only"] },
});
const forbid = (name, from, to) => ({ name, severity: "error", from: { path: from, pathNot: TEST }, to });

export default {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-orphans",
      severity: "error",
      from: {
        orphan: true,
        pathNot: [TEST, "\\.d\\.m?ts$", "^app/.*\\.(ico|png|svg|css)$", "^lib/core/scoring/conformance/"],
      },
      to: {},
    },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    // Published on their own.
    forbid("scoring-alone", "^lib/core/scoring/", { pathNot: "^lib/core/scoring/" }),
    forbid("evaluation-alone", "^lib/core/evaluation/", {
      pathNot: ["^lib/core/evaluation/", "^lib/core/scoring/index\\.ts$", npm("zod")],
    }),
    forbid("stats-alone", "^lib/core/stats/", { pathNot: ["^lib/core/(stats|scoring)/", npm("@stdlib")] }),
    // These know the shapes of scoring and compute nothing with it.
    forbid("types-only-from-scoring", "^lib/core/(stats|domain|fields|charts)/", {
      path: "^lib/core/scoring/",
      dependencyTypesNot: ["type-only"],
    }),
  ],
  allowedSeverity: "error",
  allowed: [
    { from: { path: TEST }, to: {} },
    allow(room("core"), npm("@stdlib", "smol-toml", "zod")),
    // They tell long names, rules and clusters apart by their hash, and stop what takes too long.
    allowNode(
      "^lib/core/domain/(text-bounder|run-in-time)\\.ts$",
      "^lib/core/triage/(rule-set|clusters/cluster-of)\\.ts$",
    ),
    allow(
      room("read"),
      room("core"),
      npm(
        "@aws-sdk",
        "@types/better-sqlite3",
        "@xterm",
        "better-sqlite3",
        "lowlight",
        "lru-cache",
        "saxes",
        "smol-toml",
        "zod",
      ),
    ),
    allow(
      room("store"),
      room("core", "read"),
      npm("@types/better-sqlite3", "@types/pg", "better-sqlite3", "kysely", "lru-cache", "pg"),
    ),
    allow(
      room("people"),
      room("core", "store"),
      npm("@types/better-sqlite3", "@zxcvbn-ts/language-common", "better-auth", "better-sqlite3", "kysely"),
      npm("openid-client", "unhomoglyph", "zod"),
    ),
    allow(
      room("output"),
      room("core", "read", "store", "people"),
      npm("hyparquet", "hyparquet-writer", "zod"),
    ),
    allow(
      room("pages"),
      room("core", "read", "store", "people", "output"),
      npm("@types/react", "lru-cache", "next", "nuqs", "react", "server-only", "zod"),
      "^package\\.json$",
    ),
    allow(
      room("server"),
      room("core", "read", "store", "people", "output", "pages"),
      npm("@playwright", "next", "rolldown", "zod"),
      "^next\\.config\\.mjs$",
      "^packaging/",
    ),
    allow(
      room("cli"),
      room("core", "read", "store", "people", "output"),
      // `assay view` starts the server.
      "^lib/server/(serve\\.ts|view-options\\.ts|hand-over\\.mjs)$",
    ),
    // A report is drawn by the components of pages, so that both show the same.
    { from: { path: "^lib/cli/report\\.ts$" }, to: { path: ["^components/report/", REACT] } },
    allow(room("testing"), "^lib/"),
    allowNode(room("read", "store", "people", "server", "cli", "testing"), "^e2e/", "^bench/", "^packaging/"),
    allow("^packaging/", "^lib/core/domain/launch-error\\.ts$", "^lib/server/run-command\\.ts$"),

    allow("^components/ui/", ...CLIENT_CORE, ...ADDRESSES, REACT, npm("next", "lucide-react", "@tanstack")),
    allow("^components/charts/", "^components/ui/", ...CLIENT_CORE, REACT, npm("next", "recharts")),
    allow("^components/report/", room("output")),
    // Guides are the repository's own documents, drawn from what their lexer finds.
    {
      from: { path: "^components/help/" },
      to: { path: ["^docs/[^/]+\\.md$", "^SECURITY\\.md$", npm("marked")] },
    },
    {
      from: { path: "^components/(?!ui/|charts/)", pathNot: TEST },
      to: {
        path: [
          "^components/",
          ...CLIENT_CORE,
          ...ADDRESSES,
          ACTIONS,
          REACT,
          npm("next", "lucide-react", "@tanstack", "cmdk"),
        ],
      },
    },
    allowTypes("^components/", room("core", "read", "store", "people", "output", "pages")),
    allow(
      "^app/",
      "^components/",
      "^lib/core/(domain|format)/",
      room("people", "pages"),
      REACT,
      npm("next", "geist", "zod"),
    ),
    {
      from: { path: "^e2e/" },
      to: {
        path: [
          "^e2e/",
          room("testing"),
          "^lib/core/(scoring|evaluation)/",
          "^lib/core/domain/api-endpoints\\.ts$",
          "^lib/store/database/postgres-server\\.fixture\\.ts$",
          "^lib/read/buckets/bucket-server\\.fixture\\.ts$",
          "^lib/people/accounts/oidc-provider\\.fixture\\.ts$",
          "^lib/read/loader/trace/trace-(files|logs|sample)\\.fixture\\.ts$",
          npm("@playwright", "@axe-core", "happy-dom", "zod", "hyparquet", "marked"),
        ],
      },
    },
    allow(
      "^bench/",
      room("server"),
      "^lib/(core/(scoring|stats)|read/(catalog|loader)|people/annotations)/index\\.ts$",
      "^lib/core/(domain|triage)/",
      "^lib/core/stats/(distributions|random)\\.ts$",
      // Readers that are timed on hostile text.
      "^lib/read/loader/(detail/test-reports/parse-runner-text|trace/read-trajectory)\\.ts$",
      "^lib/read/trial-reading/diff/align\\.ts$",
      "^lib/read/processes/project-root\\.ts$",
      npm("@playwright", "zod", "tsdown"),
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^lib/core/scoring/conformance/vectors" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
