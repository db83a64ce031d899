import { type Command, defineCommand, parseChoice, UsageError } from "./command";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Commands = Readonly<Record<string, Command>>;

/** Defines `assay completions`, which derives shell completions from all commands. */
export function defineCompletions(others: Commands): Command {
  const completions = defineCommand({
    listed: { "completions SHELL": "Print a shell completion script" },
    usage: ["assay completions SHELL"],
    about: "Prints a completion script of assay's commands, options and files for SHELL (bash, zsh or fish).",
    options: {},
    words: SHELLS,
    examples: ["assay completions bash > ~/.local/share/bash-completion/completions/assay"],
    run({ positionals: [shell, other] }, terminal) {
      if (shell === undefined || other !== undefined)
        throw new UsageError(`Choose a shell: ${SHELLS.join(", ")}.`);
      const name = parseChoice(shell, SHELLS, "shell");
      const commands = { ...others, completions };
      terminal.stdout.write(name === "fish" ? writeFish(commands) : writeBash(commands, name));
      return Promise.resolve(0);
    },
  });
  return completions;
}

/** Serves both: zsh can use bash completions. */
function writeBash(commands: Commands, shell: "bash" | "zsh"): string {
  const cases = Object.entries(commands).map(([name, { options, words }]) => {
    const all = [...Object.keys(options), "help"].map((option) => `--${option}`).join(" ");
    const first = words === undefined ? "" : ` words="${words.join(" ")}"`;
    return `    ${name}) options="${all}"${first} ;;`;
  });
  const values = Object.values(commands)
    .flatMap(({ options }) => Object.entries(options))
    .flatMap(([option, { choices }]) =>
      choices === undefined
        ? []
        : `    --${option}) COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$word")); return ;;`,
    );
  const before = shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
  return `${before}_assay() {
  local word="\${COMP_WORDS[COMP_CWORD]}" options="" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${Object.keys(commands).join(" ")} --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "\${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join("\n")}
  esac
  COMPREPLY=()
  if [ "\${word#-}" != "$word" ]; then COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "$words" -- "$word")); fi
}
complete -o default -F _assay assay
`;
}

function writeFish(commands: Commands): string {
  const lines = [`-f -n __fish_use_subcommand -a "${Object.keys(commands).join(" ")}"`];
  for (const [name, { words }] of Object.entries(commands))
    if (words !== undefined)
      lines.push(
        `-f -n "test (count (commandline -opc)) -eq 2; and __fish_seen_subcommand_from ${name}" -a "${words.join(" ")}"`,
      );
  for (const [name, { options }] of Object.entries(commands)) {
    const all: Command["options"] = { ...options, help: { type: "boolean", help: "" } };
    for (const [option, { choices }] of Object.entries(all)) {
      const values = choices === undefined ? "" : ` -x -a "${choices.join(" ")}"`;
      lines.push(`-n "__fish_seen_subcommand_from ${name}" -l ${option}${values}`);
    }
  }
  return lines.map((line) => `complete -c assay ${line}\n`).join("");
}
