const SUMMATION = `  --summation NAME   How recorded means were summed: cpython-3.12 (default) or sequential (Python 3.11 and older).`;
const COUNTING = `  --missing RULE     zero (default): a missing reward counts as 0. exclude: it is left out.
  --rule RULE        Which trials count: recorded (default), harbor-0.25, harbor-0.26, all or graded.`;

export const HELP = `Usage: assay COMMAND [OPTIONS]

Recomputes, explains and reviews the results of agent benchmark runs. Job folders are never written to. DIR or JOB can be
s3://BUCKET/PREFIX, fetched with the usual AWS_ variables. At most $ASSAY_BUCKET_CACHE_GB gigabytes are kept (default 20).

  assay view [DIR ...]          Show jobs in the browser
  assay score JOB               Print a job's outcome line
  assay verify JOB ...          Compare every recorded figure with the recomputed one
  assay check DIR               Print what could not be read or looks unusual
  assay trials DIR              List trials
  assay scan DIR                Run scanners over trajectories and files, and fail on what they find
  assay compare JOB ...         Compare groups of trials, and fail when one is worse
  assay leaderboard DIR ...     Rank the groups over each dataset
  assay report JOB ...          Write a comparison as one HTML file, or check such a file
  assay evaluations DIR         Write each trial's EvaluationResult
  assay watch DIR               Say what goes wrong while jobs run
  assay index [DIR ...]         Update the index that pages read
  assay accounts add NAME       Make an account, after which everybody signs in; list them, or set a password
  assay annotations export      Write reviewers' judgments to files
  assay annotations import      Read reviewers' judgments from such files
  assay codebook export|import  Write the categories of reviews as a file, or read them from one
  assay backup FILE             Write everything that cannot be computed again to one file
  assay restore FILE            Read such a file into an empty data folder or database
  assay doctor [DIR ...]        Say whether Assay can work here, and what to do where not
  assay completions SHELL       Print what makes a shell complete commands and options

  assay COMMAND --help          Options of a command
  assay --version               Version

Exit codes: 0 success, 1 a figure does not match or a condition holds, 2 the command could not run.
`;

export const COMMAND_HELP = {
  backup: `Usage: assay backup FILE [OPTIONS]

Writes everything that cannot be computed again to one new file, each store as it stands at one moment while others go on
saving: judgments with all their history, decisions, queues, the codebook, names, dismissals, answers and tags; saved views and
run sets; accounts and the audit log; your own rules.toml and scanners. FILE is read back before it takes its name. It is the same whether Assay keeps its
data in files or in the database of $DATABASE_URL, and can be restored into either. It holds what was written, in plain words:
keep it as safe as the data folder.

  --data DIR         Data folder to back up (default $ASSAY_DATA, else the user's data folder).
`,
  restore: `Usage: assay restore FILE [OPTIONS]

Restores a backup into a data folder, or the database of $DATABASE_URL, in which nothing was saved yet; all of it or nothing. A
file that was cut off or changed since it was written is refused. Backups of older versions are brought up to date.

  --data DIR         Data folder to restore into, made where it is not there (default $ASSAY_DATA, else the user's data folder).
`,
  doctor: `Usage: assay doctor [DIR ...] [OPTIONS]

Looks at each DIR (default: the current folder), the data folder with its free space, the judgments (there, or in $DATABASE_URL), and
the provider that ASSAY_OIDC_ISSUER names, and says of each if it can be used and what to do if not. Makes no store that is not there.

  --data DIR         Data folder to look at (default $ASSAY_DATA, else the user's data folder).
  --json             Print JSON (assay.doctor/1).

Exit code 1 when something is wrong.
`,
  completions: `Usage: assay completions SHELL

Prints what makes SHELL (bash, zsh or fish) complete commands, their words, options and files after assay.
`,
  view: `Usage: assay view [DIR ...] [OPTIONS]

Shows the jobs below each DIR (default: the current folder) in the browser, until Ctrl-C.

  --port PORT        Port to listen on, 0 for any free one (default 4680).
  --host HOST        Interface to listen on (default 127.0.0.1, this machine only).
  --allow-host NAME  Also answer to this name, besides localhost and the listening address; can be repeated.
  --behind-proxy     Trust X-Forwarded-Host, X-Forwarded-Proto and X-Forwarded-For, which the proxy in front must set.
  --base-path PATH   Serve the pages below this path, such as /assay, whether the proxy in front passes it on or removes it.
  --files-origin URL Serve raw files from this origin, which must lead here too (default: files.localhost on this machine).
  --data DIR         Folder for annotations (default $ASSAY_DATA, else the user's data folder).
${SUMMATION}

With --host, --allow-host or --behind-proxy, and once there is an account, everybody signs in: see assay accounts, docs/team.md.
`,
  score: `Usage: assay score JOB [OPTIONS]

Prints the outcome line that evaluators derive from the job's result.json.

  --from-trials      Derive it from the trials instead, as if Harbor had just written result.json.
  --sensitivity      Print each group's score by what counts instead: as recorded, without infrastructure failures,
                     timeouts or both, without missing rewards, and with all of them 0 or 1; with the trials moved.
                     Infrastructure failures are those that triage calls provider, infrastructure or verifier failed or out
                     of budget; timeouts are out of time.
  --data DIR         Folder with your own rules.toml (default: as in assay view).
  --json             Print JSON (assay.score/1, or assay.sensitivity/1).
${SUMMATION}
`,
  verify: `Usage: assay verify JOB ... [OPTIONS]

Recomputes metrics, pass@k, counters, lists, rewards and outcome of every job in or below each JOB, and reports each
recorded figure as exact, differs by N ulp, explained by a rule of Harbor, mismatch, not recorded, incomplete (some of
the data it was computed from is missing), or unknown rule (it differs, and a Harbor newer than this Assay wrote it).

  --json             Print JSON (assay.verify/3).
  --all              List every figure, not only those that are not exact.
  --strict           Exit with 1 on incomplete data and unknown rules too, not only on a mismatch.
${SUMMATION}
`,
  check: `Usage: assay check DIR [OPTIONS]

Prints the load report: files that cannot be read or trusted (problems), and unusual things that change nothing (notes);
then the lost work of each job: what was retried, cancelled or never begun, and what files name without a folder.

  --json             Print JSON (assay.check/1).
  --strict           Exit with 1 when there is a problem.
`,
  trials: `Usage: assay trials DIR [OPTIONS]

Lists the trials of every job in or below DIR.

  --format FORMAT    table (default, main fields), json (all fields, assay.trials/2), csv or parquet (one row per trial).
  --json             The same as --format json.
  --output FILE      Write to FILE instead, outside DIR; required for Parquet, which is binary.
`,
  scan: `Usage: assay scan DIR [OPTIONS]
       assay scan --list [OPTIONS]

Runs scanners over the trajectory and the files of every trial in or below DIR, and prints what each found and where. Scanners
come along, and are files *.toml in the folder "scanners" of the data folder: one of the same id takes the place of one that
comes along. A scanner has examples that it must and must not find; one that fails its own is refused, with file and line.

  --scanner ID|FILE  Only this scanner, by its id or as a file *.toml; can be repeated.
  --fail-on SEVERITY Exit with 1 when a scanner of this severity (high, medium, low) or a higher one found something or was
                     stopped, or when a scanner was refused.
  --list             List the scanners and what a hit of each means.
  --data DIR         Folder with Assay's own data (default $ASSAY_DATA, else the user's data folder).
  --json             Print JSON (assay.scan/1, with --list assay.scanners/1).

A scanner:
  id = "no-sudo"
  version = 1
  title = "Became root"
  meaning = "The agent ran a command as root."
  category = "conduct"
  severity = "low"               # high, medium or low
  scope = "steps"                # or "files", with path and text (line by line) in place of the fields below

  [[when]]                       # any [[when]] is enough; all of its regular expressions must match
  role = "agent"                 # who the step is of: agent, user, system or other
  arguments = '\\bsudo\\b'       # or tool, files, reasoning, message, output
  not.arguments = 'sudo -n true' # must not match

  [[matches]]
  arguments = "sudo ls"
  [[misses]]
  arguments = "ls"

Besides, for steps: at_end = true looks at the agent's last step alone, and repeats = 3 wants the same call with the same output
three times.
`,
  compare: `Usage: assay compare JOB ... [OPTIONS]

Compares every evals group of the jobs in or below each JOB with a baseline on the tasks they share: means with intervals,
paired differences adjusted for how many there are, and what makes them hard to compare.

  --pool RULE        Count runs together: numbers (job names that differ by a number at the end), settings (one agent, model and
                     settings), folder (the same, of jobs in one folder), saved (saved run sets), or a regular expression (same first group or match). A rollout counts once.
  --data DIR         Folder with Assay's own data: saved run sets and your own rules.toml (default: as in assay view).
  --baseline NAME    Job, run set or group that the others are compared with (default: the oldest by start time).
  --key NAME         Reward key (default: reward, else the most frequent).
  --threshold N      An attempt passes from this reward on (default 1).
${COUNTING}
  --fail-if WHEN     Exit with 1 when it holds for an agent against its own oldest run, or against the baseline: worse, not-better,
                     or difference, low, high or p with < or > and a number, such as "low<-0.02" (0.02 is 2 points).
  --json             Print JSON (assay.compare/2).
${SUMMATION}
`,
  leaderboard: `Usage: assay leaderboard DIR ... [OPTIONS]

Ranks the groups of all jobs in or below each DIR, a table for each dataset. A rank is every place that the data allow, from paired
comparisons on the tasks that both groups have. A group can be first if no other one is clearly better. Tasks that were run without a dataset are together only where they are the same.

  --dataset NAME     Only the dataset of this name.
  --pool RULE        Count runs together as one group: settings (default) for one agent, model and settings, none, or as in compare.
  --coverage N       Percent of the tasks that a group needs finished trials of to be ranked (default 80).
  --data DIR         Folder with Assay's own data: judgments, which scores are corrected by, saved run sets and your own rules.toml
                     (default: as in assay view).
  --key NAME         Reward key (default: the one that most trials carry).
${COUNTING}
  --tasks RULE       What scores are over: own (default) tasks of each group, or the common ones of all ranked groups.
  --format FORMAT    text (default), markdown, csv or latex.
  --json             Print JSON (assay.leaderboard/1).
${SUMMATION}
`,
  report: `Usage: assay report JOB ... [OPTIONS]
       assay report --check FILE [DIR ...]

Writes the comparison of assay compare as one HTML file that needs no network and no scripts: verdict, figures, curves, tasks,
methods, checks, its inputs, and the SHA-256 of every file that it was computed from. The same jobs, options and rules of your
own give the same bytes.

  --check FILE       Compute a report again and print which file or figure is another now; exit with 1 when there is one. Jobs
                     are looked for where they were, seen from the file, or in each DIR.
  -o, --output FILE  Write to FILE instead of standard output, outside the job folders.
  --pool RULE        Count runs together, as assay compare does.
  --data DIR         Folder with Assay's own data: saved run sets and your own rules.toml (default: as in assay view).
  --baseline NAME    Job, run set or group that the others are compared with (default: the oldest by start time).
  --key NAME         Reward key (default: reward, else the most frequent).
  --threshold N      An attempt passes from this reward on (default 1).
${COUNTING}
${SUMMATION}
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
  watch: `Usage: assay watch DIR [OPTIONS]

Says what most of each agent's latest trials failed by, in the running jobs in or below DIR, until all of them have ended:
a provider that refuses, an environment that does not start, a limit that is too low, a verifier that dies. Wrong answers
are no trouble. Without a running job it says how the jobs ended.

  --last N           Look at the last N trials of each agent (default 10).
  --share S          Say so when this share of them failed alike (default 0.5), and at least 3 did.
  --every SECONDS    Rescan after so long (default 10).
  --once             Look once.
  --stop             End at the first trouble.
  --json             Print JSON at the end (assay.watch/1).
  --data DIR         Folder with your own rules.toml (default $ASSAY_DATA, else the user's data folder).

Exits with 1 when there is a trouble at the end, so that a script can stop a burning job.
`,
  index: `Usage: assay index [DIR ...] [OPTIONS]

Updates the index of the jobs below each DIR (default: the current folder), as \`assay view\` does automatically, and prints
what it holds. The index is a file in the data folder, or a schema in $DATABASE_URL; it can be deleted at any time.

  --data DIR         Folder for the index (default $ASSAY_DATA, else the user's data folder).
  --derived-details  Also read verifiers' details, analyses and the texts that are searched, and run scanners, as
                     \`assay view\` does in the background.
  --json             Print JSON (assay.index/2).
${SUMMATION}
`,
  accounts: `Usage: assay accounts add|password NAME [OPTIONS]
       assay accounts list [OPTIONS]

Makes an account, or gives one a new password, and prints the password once. Whoever gets a new one is signed out everywhere.
A running Assay asks for accounts from its next start on. Admins do everything else on the page Accounts.

  --role ROLE        What the account may do: viewer (default) looks, reviewer judges and saves views, adjudicator also decides
                     conflicts and changes the codebook, admin also manages accounts and any judgment.
  --data DIR         Data folder of the accounts (default $ASSAY_DATA, else the user's data folder).
  --json             Print the list as JSON (assay.accounts/1).
`,
  annotations: `Usage: assay annotations export [OPTIONS]
       assay annotations import FILE ... [OPTIONS]

Export writes current judgments and decisions, one JSON object per line (assay.annotation/1, assay.adjudication/1), then names of
clusters and dismissals (assay.triage-note/1), answers to suggestions (assay.suggestion-answer/1) and tags of other tools (assay.tag/1).

  --data DIR         Folder of the annotations (default $ASSAY_DATA, else the user's data folder).
  --format FORMAT    jsonl (default), csv or parquet (judgments alone, one row each), or langfuse (scores).
  --history          Write replaced and undone versions too.
  --queue ID         Only what was saved for this queue.
  --job NAME         Only trials of the job with this name or id.
  --reviewer NAME    Only what this reviewer judged or decided.
  --per-reviewer DIR Write one JSONL a reviewer into DIR, with history, ordered so that git can merge them.
  --output FILE      Write to FILE instead; required for Parquet, which is binary.

Import reads such JSONL, any number of files at once, all or nothing: a wrong line is named, and nothing is written.
What is here already is left as it is. Judgments that were changed in both places are conflicts: they are named, what is
here stays, and everything else is imported. Tags of other tools are lines with trial, job, category, source,
description and evidence; the last two may be left out. Exits with 1 when there is a wrong line or a conflict.

  --data DIR         As above.
  --dry-run          Say what would happen and write nothing.
  --admin            Also continue judgments that belong to a browser here.
  --json             Print JSON (assay.import/1).
`,
  codebook: `Usage: assay codebook export [OPTIONS]
       assay codebook import FILE [OPTIONS]

Writes the codebook to standard output (assay.codebook/1), or takes the categories of FILE over, all or none. An entry that
was changed here too since FILE was exported is a conflict. Exits with 1 when there is a conflict or an error.

  --dry-run          Say what an import would do, and change nothing.
  --name NAME        Who changes the codebook, as its history shows it.
  --data DIR         Folder of the annotations (default $ASSAY_DATA, else the user's data folder).
`,
};

export type CommandName = keyof typeof COMMAND_HELP;
