import type { CommandName } from "./help";

/** `jobs` is a folder of jobs, `jobs/before` and `jobs/after` are two of them. */
export const EXAMPLES: Readonly<Record<CommandName, readonly string[]>> = {
  view: ["assay view jobs", "assay view jobs --port 8080 --data ./reviews"],
  score: ["assay score jobs/before", "assay score jobs/before --sensitivity"],
  verify: ["assay verify jobs --strict"],
  check: ["assay check jobs --strict"],
  trials: ["assay trials jobs --format csv --output trials.csv"],
  scan: ["assay scan jobs --fail-on high", "assay scan --list"],
  compare: ["assay compare jobs/before jobs/after --fail-if worse", "assay compare jobs --pool numbers"],
  leaderboard: ["assay leaderboard jobs --format markdown"],
  report: [
    "assay report jobs/before jobs/after --output report.html",
    "assay report --check report.html jobs",
  ],
  evaluations: ["assay evaluations jobs --output evaluations.jsonl"],
  watch: ["assay watch jobs --once", "harbor run ... & assay watch jobs --stop || kill %1"],
  index: ["assay index jobs"],
  accounts: ["assay accounts add Ada --role admin", "assay accounts list"],
  annotations: [
    "assay annotations export --output judgments.jsonl",
    "assay annotations import judgments.jsonl --dry-run",
  ],
  codebook: ["assay codebook export > codebook.json", "assay codebook import codebook.json --dry-run"],
  backup: ["assay backup assay.backup"],
  restore: ["assay restore assay.backup --data restored"],
  doctor: ["assay doctor jobs"],
  completions: ["assay completions bash > ~/.local/share/bash-completion/completions/assay"],
};
