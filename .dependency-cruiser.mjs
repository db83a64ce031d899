// The layers of ARCHITECTURE.md as an allow-list: an edge that is not named here is an error. Tests may import anything.

const TEST = "\\.(test|fixture)\\.tsx?$";
const npm = (...names) => `node_modules/(${names.join("|")})/`;
const lib = (...layers) => `^lib/(${layers.join("|")})/`;

/** `from` may import itself and `to`. */
const allow = (from, ...to) => ({ from: { path: from, pathNot: TEST }, to: { path: [from, ...to] } });
/** `from` may import Node's own modules. */
const allowNode = (...from) => ({ from: { path: from, pathNot: TEST }, to: { dependencyTypes: ["core"] } });

/** `from` may name the types of `to`, and run nothing of it. */
const allowTypes = (from, ...to) => ({
  from: { path: from, pathNot: TEST },
  to: { path: to, dependencyTypes: ["type-only"] },
});

const REACT = npm("react", "react-dom", "@types/react", "@types/react-dom");

export default {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-orphans",
      severity: "error",
      from: {
        orphan: true,
        pathNot: [TEST, "\\.d\\.m?ts$", "^app/.*\\.(ico|png|svg|css)$", "^lib/scoring/conformance/"],
      },
      to: {},
    },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "types-only-from-scoring",
      comment: "These layers know the shapes of scoring and stats, and compute nothing.",
      severity: "error",
      from: { path: lib("stats", "domain", "charts"), pathNot: TEST },
      to: { path: lib("scoring"), dependencyTypesNot: ["type-only"] },
    },
    {
      name: "client-reads-no-files",
      severity: "error",
      from: { path: "^components/", pathNot: TEST },
      to: { path: lib("loader", "catalog", "annotations", "queries"), dependencyTypesNot: ["type-only"] },
    },
  ],
  allowedSeverity: "error",
  allowed: [
    { from: { path: TEST }, to: {} },
    allowNode(
      lib(
        "backup",
        "database",
        "processes",
        "store",
        "trial-reading",
        "views",
        "indexer",
        "loader",
        "scanners",
        "catalog",
        "annotations",
        "cli",
        "launch",
        "testing",
      ),
      "^e2e/",
      "^bench/",
      // Runs a reader's own expression with a time limit.
      "^lib/queries/run-sets/rule\\.ts$",
    ),
    allow(lib("scoring")),
    allow(lib("evaluation"), "^lib/scoring/index\\.ts$", npm("zod")),
    allow(lib("stats"), lib("scoring"), npm("@stdlib")),
    allow(lib("domain"), lib("scoring")),
    // It tells long names apart by their hash.
    allowNode("^lib/domain/text-bounder\\.ts$"),
    allow(lib("triage"), lib("domain"), npm("zod", "smol-toml")),
    // They tell tables of rules apart by their hash, and clusters.
    allowNode("^lib/triage/(rule-set|clusters/cluster-of)\\.ts$"),
    allow(lib("schema"), lib("domain", "scoring"), npm("zod")),
    allow(lib("format"), lib("domain")),
    allowTypes(lib("format"), lib("triage")),
    allow(
      lib("addresses"),
      lib("domain"),
      "^lib/triage/(classes|owners|signals)\\.ts$",
      npm("zod", "next", "nuqs"),
    ),
    allow(lib("actions"), lib("queries", "addresses", "annotations", "views", "domain"), npm("next", "zod")),
    allow(lib("charts"), lib("domain", "format", "stats")),
    // Which labels count for which trials, and the scores that they correct.
    allow(lib("labels"), "^lib/annotations/index\\.ts$", lib("charts", "domain", "format", "stats")),
    allowTypes(lib("labels"), lib("store")),
    allow(lib("comparison"), "^lib/labels/correct\\.ts$", lib("charts", "domain", "format", "stats")),
    allowTypes(lib("comparison"), lib("scoring")),
    allow(lib("report"), lib("comparison", "charts", "domain", "stats"), npm("zod")),
    allow(lib("export"), lib("domain", "format", "scoring"), npm("hyparquet-writer", "hyparquet")),
    allowTypes(lib("export"), lib("store", "stats")),
    allow(lib("api"), "^lib/export/index\\.ts$", npm("zod")),
    allow(
      lib("loader"),
      lib("schema", "domain", "scoring"),
      "^lib/triage/facts\\.ts$",
      "^lib/evaluation/index\\.ts$",
      npm("@xterm"),
    ),
    allow(lib("verification"), lib("domain", "scoring")),
    allow(lib("scanners"), "^lib/loader/detail/index\\.ts$", lib("domain"), npm("zod", "smol-toml")),
    allow(
      lib("trial-evaluation"),
      "^lib/evaluation/index\\.ts$",
      "^lib/loader/detail/index\\.ts$",
      lib("domain", "scoring"),
    ),
    allow(lib("catalog"), lib("loader", "verification", "schema", "stats", "domain", "scoring")),
    allow(
      lib("database"),
      lib("domain"),
      npm("kysely", "better-sqlite3", "@types/better-sqlite3", "pg", "@types/pg"),
    ),
    allow(
      lib("annotations"),
      "^lib/database/index\\.ts$",
      lib("domain"),
      npm("zod", "kysely", "better-sqlite3", "@types/better-sqlite3"),
    ),
    allow(lib("views"), "^lib/database/index\\.ts$", lib("domain"), npm("zod", "kysely")),
    allow(
      lib("backup"),
      "^lib/(annotations|database|views)/index\\.ts$",
      "^lib/indexer/failure-rules\\.ts$",
      "^lib/scanners/scanner-set\\.ts$",
      lib("domain"),
      npm("kysely", "zod"),
    ),
    allow(lib("store"), "^lib/database/index\\.ts$", lib("domain", "scoring"), npm("kysely")),
    allowTypes(lib("store"), lib("stats", "triage")),
    allowTypes(lib("loader"), lib("triage")),
    {
      from: { path: lib("loader", "processes", "store", "indexer", "queries"), pathNot: TEST },
      to: { path: npm("lru-cache") },
    },
    allow(lib("processes"), "^lib/loader/large-files\\.ts$"),
    allow(
      lib("trial-reading"),
      "^lib/loader/detail/index\\.ts$",
      "^lib/loader/index\\.ts$",
      lib("processes", "trial-evaluation", "domain"),
      npm("lowlight"),
    ),
    allow(
      lib("indexer"),
      lib(
        "processes",
        "store",
        "loader",
        "catalog",
        "verification",
        "scanners",
        "stats",
        "scoring",
        "domain",
        "triage",
      ),
      "^lib/database/index\\.ts$",
      "^lib/evaluation/index\\.ts$",
    ),
    allow(
      lib("queries"),
      lib(
        "addresses",
        "indexer",
        "store",
        "verification",
        "trial-evaluation",
        "trial-reading",
        "triage",
        "annotations",
        "labels",
        "comparison",
        "report",
        "api",
        "views",
        "stats",
        "scoring",
        "charts",
        "export",
        "format",
        "domain",
      ),
      "^lib/loader/detail/",
      "^lib/evaluation/index\\.ts$",
      "^package\\.json$",
      npm("server-only", "next", "react", "@types/react"),
    ),
    allow(
      lib("cli"),
      lib(
        "catalog",
        "loader",
        "verification",
        "trial-evaluation",
        "trial-reading",
        "scanners",
        "annotations",
        "backup",
        "labels",
        "comparison",
        "report",
        "views",
        "scoring",
        "stats",
        "export",
        "format",
        "triage",
        "domain",
      ),
      lib("indexer", "store"),
      "^lib/addresses/href\\.ts$",
      "^lib/database/index\\.ts$",
      "^lib/launch/((serve|launch-error|project-root)\\.ts|hand-over\\.mjs)$",
    ),
    allowTypes(lib("cli"), lib("evaluation")),
    // A report is drawn by the components of pages, so that both show the same.
    { from: { path: "^lib/cli/make-report\\.ts$" }, to: { path: ["^components/report/", REACT] } },
    allow(
      lib("launch"),
      "^lib/domain/(request-marks|base-path)\\.ts$",
      npm("next", "rolldown", "zod", "@playwright"),
      "^next\\.config\\.ts$",
    ),
    allowTypes("^next\\.config\\.ts$", npm("next")),
    allow(lib("testing"), "^lib/"),
    allowTypes(lib("format"), npm("next")),
    allowTypes(
      "^components/",
      lib(
        "queries",
        "comparison",
        "report",
        "stats",
        "annotations",
        "store",
        "indexer",
        "trial-evaluation",
        "trial-reading",
      ),
    ),
    allow(
      "^components/ui/",
      lib("addresses", "charts", "domain", "format"),
      REACT,
      npm("next", "lucide-react", "@tanstack"),
    ),
    allow(
      "^components/charts/",
      "^components/ui/",
      lib("charts", "format", "domain"),
      REACT,
      npm("next", "recharts"),
    ),
    allow("^components/report/", lib("report")),
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
          lib("domain", "format", "charts"),
          "^lib/triage/(classes|owners|signals|troubles|exclusions)\\.ts$",
          REACT,
          npm("next", "lucide-react", "@tanstack", "cmdk"),
          lib("addresses"),
          lib("actions"),
        ],
      },
    },
    {
      from: { path: "^app/", pathNot: TEST },
      to: {
        path: [
          "^app/",
          "^components/",
          lib("queries", "addresses", "actions", "annotations", "views", "domain", "format"),
          REACT,
          npm("next", "geist", "zod"),
        ],
      },
    },
    {
      from: { path: "^e2e/" },
      to: {
        path: [
          "^e2e/",
          lib("testing", "scoring", "evaluation"),
          "^lib/database/postgres-server\\.fixture\\.ts$",
          "^lib/loader/trace/trace-(files|logs|sample)\\.fixture\\.ts$",
          npm("@playwright", "@axe-core", "zod", "hyparquet", "marked"),
        ],
      },
    },
    allow(
      "^bench/",
      "^lib/launch/",
      "^lib/(annotations|stats)/index\\.ts$",
      npm("@playwright", "zod", "tsdown"),
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^lib/scoring/conformance/vectors" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
