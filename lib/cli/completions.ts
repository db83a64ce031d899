import { parseChoice, parseCommandLine, UsageError } from "./command-line";
import { COMMAND_HELP, type CommandName } from "./help";
import type { Terminal } from "./terminal";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** `assay completions`: what a shell completes after `assay`, from the very help of the commands. */
export function runCompletions(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals } = parseCommandLine(args, {});
  const [shell, other] = positionals;
  if (shell === undefined || other !== undefined)
    throw new UsageError(`Name one shell: ${SHELLS.join(", ")}.`);
  const name = parseChoice(shell, SHELLS, "shell");
  terminal.stdout.write(name === "fish" ? writeFish() : writeBash(name));
  return Promise.resolve(0);
}

const NAMES = Object.keys(COMMAND_HELP) as readonly CommandName[];

function listOptions(name: CommandName): readonly string[] {
  const named = COMMAND_HELP[name].matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm);
  return [...new Set(Array.from(named, ([, option = ""]) => option)), "--help"];
}

/** For both: zsh understands what bash completes by. */
function writeBash(shell: "bash" | "zsh"): string {
  const cases = NAMES.map((name) => `    ${name}) choices="${listOptions(name).join(" ")}" ;;`);
  const before = shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
  return `${before}_assay() {
  local word="\${COMP_WORDS[COMP_CWORD]}" choices=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${NAMES.join(" ")} --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  COMPREPLY=()
  if [ "\${word#-}" != "$word" ]; then COMPREPLY=($(compgen -W "$choices" -- "$word")); fi
}
complete -o default -F _assay assay
`;
}

function writeFish(): string {
  const commands = `complete -c assay -f -n __fish_use_subcommand -a "${NAMES.join(" ")}"\n`;
  const options = NAMES.flatMap((name) =>
    listOptions(name).map(
      (option) => `complete -c assay -n "__fish_seen_subcommand_from ${name}" -l ${option.slice(2)}\n`,
    ),
  );
  return commands + options.join("");
}
