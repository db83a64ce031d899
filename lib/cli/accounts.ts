import { randomBytes } from "node:crypto";

import { ROLES } from "@/lib/core/domain/account";
import {
  type AccountStore,
  addAccount,
  changeAccount,
  COMMAND_LINE,
  findAccount,
  listAccounts,
  openAccountStoreOf,
} from "@/lib/people/accounts";

import { parseChoice, parseCommandLine, parseOnlyOperand, UsageError } from "./command-line";
import { withData } from "./open-folders";
import { makePrintable, type Terminal, writeAll, writeJson } from "./terminal";

const VERBS = ["add", "list", "password"] as const;
const PASSWORD_BYTES = 15;

/** Runs `assay accounts`: creates the first admin and resets a forgotten password; admins do the rest in the pages. */
export async function runAccounts(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    role: { type: "string" },
    data: { type: "string" },
    json: { type: "boolean" },
  });
  const [given, ...operands] = positionals;
  if (given === undefined) throw new UsageError(`Say what to do: ${VERBS.join(", ")}.`);
  const verb = parseChoice(given, VERBS, "verb");
  const store = openAccountStoreOf(withData(terminal.env, values.data));
  try {
    if (verb === "list") {
      await printAccounts(store, values.json === true, terminal);
      return 0;
    }
    const name = parseOnlyOperand(operands, "account");
    const password = randomBytes(PASSWORD_BYTES).toString("base64url");
    if (verb === "add") {
      const role = parseChoice(values.role ?? "viewer", ROLES, "role");
      await addAccount(store, { name, role, password }, COMMAND_LINE);
    } else {
      const account = await findAccount(store, name);
      await changeAccount(store, account.id, { password }, COMMAND_LINE);
    }
    const hint = "It is shown only now, and changed on the page of one’s account.";
    terminal.stdout.write(`Password of ${makePrintable(name)}: ${password}\n${hint}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

async function printAccounts(store: AccountStore, isJson: boolean, terminal: Terminal): Promise<void> {
  const accounts = await listAccounts(store);
  if (isJson) return writeJson(terminal.stdout, { schema: "assay.accounts/1", accounts });
  const lines = accounts.map(
    ({ name, role, blockedAt }) =>
      `${makePrintable(name)}  ${role}${blockedAt === null ? "" : "  blocked"}\n`,
  );
  await writeAll(terminal.stdout, lines.length === 0 ? ["There are no accounts.\n"] : lines);
}
