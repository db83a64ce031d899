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

import { defineCommand, flag, parseChoice, parseOnlyOperand, option, UsageError } from "./command";
import { withData } from "./open-folders";
import { makePrintable, type Terminal, writeAll, writeJson } from "./terminal";

const VERBS = ["add", "list", "password"] as const;
const PASSWORD_BYTES = 15;

export const accounts = defineCommand({
  listed: {
    "accounts add NAME": "Create an account, list accounts, or reset a password",
  },
  usage: ["assay accounts add|password NAME [OPTIONS]", "assay accounts list [OPTIONS]"],
  about: `Creates an account, or resets its password, and prints the password once. A reset signs the account out everywhere.
Once an account exists, Assay requires sign-in from its next start. Admins manage everything else on the Accounts page.`,
  options: {
    role: {
      ...option(
        "ROLE",
        `Role of the account: viewer (default) reads; reviewer also judges and saves views; adjudicator also decides
conflicts and edits the codebook; admin also manages accounts and any judgment.`,
      ),
      choices: ROLES,
    },
    data: option("DIR", "Data folder of the accounts (default $ASSAY_DATA, else the user's data folder)."),
    json: flag("Print the list as JSON (assay.accounts/1)."),
  },
  words: VERBS,
  examples: ["assay accounts add Ada --role admin", "assay accounts list"],
  async run({ values, positionals }, terminal) {
    const [given, ...operands] = positionals;
    if (given === undefined) throw new UsageError(`Name an action: ${VERBS.join(", ")}.`);
    const verb = parseChoice(given, VERBS, "verb");
    const store = openAccountStoreOf(withData(terminal.env, values.data));
    try {
      if (verb === "list") {
        await printAccounts(store, values.json, terminal);
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
      const hint = "It is shown only once. Users can change it on their account page.";
      terminal.stdout.write(`Password of ${makePrintable(name)}: ${password}\n${hint}\n`);
      return 0;
    } finally {
      await store.close();
    }
  },
});

async function printAccounts(store: AccountStore, isJson: boolean, terminal: Terminal): Promise<void> {
  const accounts = await listAccounts(store);
  if (isJson) return writeJson(terminal.stdout, { schema: "assay.accounts/1", accounts });
  const lines = accounts.map(
    ({ name, role, blockedAt }) =>
      `${makePrintable(name)}  ${role}${blockedAt === null ? "" : "  blocked"}\n`,
  );
  await writeAll(terminal.stdout, lines.length === 0 ? ["There are no accounts.\n"] : lines);
}
