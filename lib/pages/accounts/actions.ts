"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";

import { ROLES } from "@/lib/core/domain/account";
import { ForbiddenError, NotFoundError } from "@/lib/core/domain/app-error";
import { listOpenFolders } from "@/lib/pages/accounts/pages";
import { act } from "@/lib/pages/shell/act";
import { noteSave } from "@/lib/pages/shell/live";
import { getAccount, getSender } from "@/lib/pages/shell/request";
import {
  acceptInvitation,
  type Actor,
  changeAccount,
  createToken,
  disconnect,
  getAccountStore,
  invite,
  readOidcSettings,
  readSignInWays,
  revokeInvitation,
  revokeToken,
  setFolderRole,
} from "@/lib/people/accounts";

const text = z.string().max(1_000);
const role = z.enum(ROLES);
const requests = {
  accept: z.object({ secret: text, name: text, password: text }),
  invite: z.object({ role, label: text }),
  change: z.object({ id: text, role: role.exactOptional(), isBlocked: z.boolean().exactOptional() }),
  folder: z.object({ address: z.string().min(1).max(5_000), role }),
  token: z.object({ label: text, role, days: z.int() }),
} as const;

export async function acceptInvitationAction(unchecked: z.input<typeof requests.accept>) {
  return act(async () => {
    if (!readSignInWays(process.env).hasPasswords)
      throw new ForbiddenError("Passwords are no longer enabled. Reload the page.");
    await acceptInvitation(getAccountStore(), requests.accept.parse(unchecked), await getSender());
  });
}

export async function inviteAction(unchecked: z.input<typeof requests.invite>) {
  return change(async (by) => {
    const secret = await invite(getAccountStore(), requests.invite.parse(unchecked), by);
    return { secret: `/invitation?token=${secret}` };
  });
}

export async function revokeInvitationAction(unchecked: string) {
  return change((by) => revokeInvitation(getAccountStore(), text.parse(unchecked), by));
}

export async function changeAccountAction(unchecked: z.input<typeof requests.change>) {
  return change((by) => {
    const { id, ...asked } = requests.change.parse(unchecked);
    return changeAccount(getAccountStore(), id, asked, by);
  });
}

export async function changeFolderRoleAction(unchecked: z.input<typeof requests.folder>) {
  return change(async (by) => {
    const folder = requests.folder.parse(unchecked);
    if (!(await listOpenFolders()).includes(folder.address))
      throw new NotFoundError("This folder is no longer open.");
    await setFolderRole(getAccountStore(), folder, by);
    noteSave();
  });
}

export async function createTokenAction(unchecked: z.input<typeof requests.token>) {
  return change(async (by) => ({
    secret: await createToken(getAccountStore(), requests.token.parse(unchecked), by),
  }));
}

export async function revokeTokenAction(unchecked: string) {
  return change((by) => revokeToken(getAccountStore(), text.parse(unchecked), by));
}

export async function disconnectAction() {
  return change(async (by) => {
    const settings = readOidcSettings(process.env);
    if (settings === null || !readSignInWays(process.env).hasPasswords)
      throw new ForbiddenError("This is the only way to sign in. Reload the page.");
    await disconnect(getAccountStore(), settings, by);
  });
}

function change<T>(work: (by: Actor) => Promise<T>) {
  return act(async () => {
    const account = await getAccount();
    if (!account)
      throw new ForbiddenError("Accounts are not enabled. Create the first one with assay accounts add.");
    const value = await work({ account, address: await getSender() });
    revalidatePath("/", "layout");
    return value;
  });
}
