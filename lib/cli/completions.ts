import { ROLES } from "@/lib/core/domain/account";

import { parseChoice, parseCommandLine, UsageError } from "./command-line";
import { COMMAND_HELP, type CommandName } from "./help";
import type { Terminal } from "./terminal";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** Runs `assay completions`, which derives shell completions from the help of the commands. */
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

function listWords(name: CommandName): readonly string[] {
  if (name === "completions") return SHELLS;
  const named = COMMAND_HELP[name].matchAll(new RegExp(`assay ${name} ([a-z]+(?:\\|[a-z]+)*) `, "g"));
  return Array.from(named, ([, words = ""]) => words.split("|")).flat();
}

const VALUES: Readonly<Record<string, readonly string[]>> = { "--role": ROLES };

/** Serves both: zsh can use bash completions. */
function writeBash(shell: "bash" | "zsh"): string {
  const cases = NAMES.map((name) => {
    const words = listWords(name);
    const first = words.length === 0 ? "" : ` words="${words.join(" ")}"`;
    return `    ${name}) options="${listOptions(name).join(" ")}"${first} ;;`;
  });
  const values = Object.entries(VALUES).map(
    ([option, all]) => `    ${option}) COMPREPLY=($(compgen -W "${all.join(" ")}" -- "$word")); return ;;`,
  );
  const before = shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
  return `${before}_assay() {
  local word="\${COMP_WORDS[COMP_CWORD]}" options="" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${NAMES.join(" ")} --help --version" -- "$word"))
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

function writeFish(): string {
  const commands = `complete -c assay -f -n __fish_use_subcommand -a "${NAMES.join(" ")}"\n`;
  const words = NAMES.map((name) => [name, listWords(name).join(" ")] as const)
    .filter(([, all]) => all !== "")
    .map(
      ([name, all]) =>
        `complete -c assay -f -n "test (count (commandline -opc)) -eq 2; and __fish_seen_subcommand_from ${name}" -a "${all}"\n`,
    );
  const options = NAMES.flatMap((name) =>
    listOptions(name).map((option) => {
      const values = VALUES[option];
      const more = values === undefined ? "" : ` -x -a "${values.join(" ")}"`;
      return `complete -c assay -n "__fish_seen_subcommand_from ${name}" -l ${option.slice(2)}${more}\n`;
    }),
  );
  return [commands, ...words, ...options].join("");
}
