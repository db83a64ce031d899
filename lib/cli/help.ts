const SUMMATION = `  --summation NAME   How recorded means were summed: cpython-3.12 (default) or sequential (Python 3.11 and older).`;

export const HELP = `Usage: assay COMMAND [OPTIONS]

Recomputes, explains and reviews the results of agent benchmark runs. Job folders are never written to.

  assay view [DIR ...]          Show jobs in the browser
  assay score JOB               Print a job's outcome line
  assay verify JOB ...          Compare every recorded figure with the recomputed one
  assay check DIR               Print what could not be read or looks unusual
  assay trials DIR              List trials
  assay evaluations DIR         Write each trial's EvaluationResult
  assay index [DIR ...]         Update the index that pages read
  assay annotations export      Write reviewers' judgments as JSON Lines

  assay COMMAND --help          Options of a command
  assay --version               Version

Exit codes: 0 success, 1 a figure does not match, 2 the command could not run.
`;

export const COMMAND_HELP = {
  view: `Usage: assay view [DIR ...] [OPTIONS]

Shows the jobs below each DIR (default: the current folder) in the browser, until Ctrl-C.

  --port PORT        Port to listen on, 0 for any free one (default 4680).
  --host HOST        Interface to listen on (default 127.0.0.1, this machine only).
  --allow-host NAME  Also answer to this name, besides localhost and the listening address; can be repeated.
  --behind-proxy     Trust X-Forwarded-Host and X-Forwarded-Proto, which the proxy in front must set.
  --token            Require an access token, as is always done when other machines can connect. It is $ASSAY_TOKEN, else a
                     new one at every start, printed with the address. Those who use $ASSAY_ADMIN_TOKEN instead can also
                     change judgments saved in other browsers.
  --data DIR         Folder for annotations (default $ASSAY_DATA, else the user's data folder).
${SUMMATION}
`,
  score: `Usage: assay score JOB [OPTIONS]

Prints the outcome line that evaluators derive from the job's result.json.

  --from-trials      Derive it from the trials instead, as if Harbor had just written result.json.
  --json             Print JSON (assay.score/1).
${SUMMATION}
`,
  verify: `Usage: assay verify JOB ... [OPTIONS]

Recomputes metrics, pass@k, counters, lists, rewards and outcome of every job in or below each JOB, and reports each
recorded figure as exact, differs by N ulp, explained by a rule of Harbor, mismatch, not recorded, or incomplete (some of
the data it was computed from is missing).

  --json             Print JSON (assay.verify/3).
  --all              List every figure, not only those that are not exact.
  --strict           Exit with 1 on incomplete data too, not only on a mismatch.
${SUMMATION}
`,
  check: `Usage: assay check DIR [OPTIONS]

Prints the load report: files that cannot be read or trusted (problems), and unusual things that change nothing (notes).

  --json             Print JSON (assay.check/1).
  --strict           Exit with 1 when there is a problem.
`,
  trials: `Usage: assay trials DIR [OPTIONS]

Lists the trials of every job in or below DIR.

  --format FORMAT    table (default, main fields), json (all fields, assay.trials/2), csv or parquet (one row per trial).
  --json             The same as --format json.
  --output FILE      Write to FILE instead, outside DIR; required for Parquet, which is binary.
`,
  evaluations: `Usage: assay evaluations DIR [OPTIONS]

Writes the EvaluationResult of every trial in or below DIR (assay.evaluation/2): reward, validity, breakdown, error tags,
confidence and annotations by the evaluation contract, where each comes from, which are not stated anywhere, and why a
trial has none. The contract cannot express an unknown validity gate: \`evaluation\` is then null, and
\`partial_evaluation\` has the rest with null at that gate. Counts go to stderr.

  --format FORMAT    jsonl (default, one line per trial) or json (one list).
  --contract NAME    seed (default) or head, which also refuses a reward above 0 for an output of the wrong shape.
  --output FILE      Write to FILE instead, outside DIR.
  --data DIR         Folder of the annotations (default $ASSAY_DATA, else the user's data folder).
  --strict           Exit with 1 when the contract refuses a trial's result.
`,
  index: `Usage: assay index [DIR ...] [OPTIONS]

Updates the index of the jobs below each DIR (default: the current folder), as \`assay view\` does automatically, and prints
what it holds. The index is a file in the data folder, or a schema of the database in $DATABASE_URL; it can be deleted at
any time.

  --data DIR         Folder for the index (default $ASSAY_DATA, else the user's data folder).
  --derived-details  Also read verifiers' details, analyses and the texts that are searched, as \`assay view\`
                     does in the background.
  --json             Print JSON (assay.index/2).
${SUMMATION}
`,
  annotations: `Usage: assay annotations export [OPTIONS]

Writes current judgments, one JSON object per line (assay.annotation/1).

  --data DIR         Folder of the annotations (default $ASSAY_DATA, else the user's data folder).
  --history          Write replaced and undone versions too.
`,
};

export type CommandName = keyof typeof COMMAND_HELP;
