"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";

import { ROLES } from "@/lib/core/domain/account";
import { ForbiddenError, NotFoundError } from "@/lib/core/domain/app-error";
import { listOpenFolders } from "@/lib/pages/accounts/pages";
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

import { describeFailure } from "../../core/domain/describe-failure";

export type AccountResult =
  | {
      readonly status: "done";
      /** Shown once and never stored: the text of a token, or the path of an invitation link. */
      readonly secret: string | null;
    }
  | { readonly status: "failed"; readonly message: string };

const text = z.string().max(1_000);
const role = z.enum(ROLES);
const requests = {
  accept: z.object({ secret: text, name: text, password: text }),
  invite: z.object({ role, label: text }),
  change: z.object({ id: text, role: role.optional(), isBlocked: z.boolean().optional() }),
  folder: z.object({ address: z.string().min(1).max(5_000), role }),
  token: z.object({ label: text, role, days: z.int() }),
} as const;

export async function acceptInvitationAction(
  unchecked: z.input<typeof requests.accept>,
): Promise<AccountResult> {
  return attempt(async () => {
    if (!readSignInWays(process.env).hasPasswords)
      throw new ForbiddenError("There are no passwords here any more. Reload the page.");
    await acceptInvitation(getAccountStore(), requests.accept.parse(unchecked), await getSender());
    return null;
  });
}

export async function inviteAction(unchecked: z.input<typeof requests.invite>): Promise<AccountResult> {
  return attempt(async () => {
    const by = await requireActor();
    const secret = await invite(getAccountStore(), requests.invite.parse(unchecked), by);
    revalidatePath("/accounts");
    return `/invitation?token=${secret}`;
  });
}

export async function revokeInvitationAction(unchecked: string): Promise<AccountResult> {
  return attempt(async () => {
    await revokeInvitation(getAccountStore(), text.parse(unchecked), await requireActor());
    revalidatePath("/accounts");
    return null;
  });
}

export async function changeAccountAction(
  unchecked: z.input<typeof requests.change>,
): Promise<AccountResult> {
  return attempt(async () => {
    const by = await requireActor();
    const { id, role: newRole, isBlocked } = requests.change.parse(unchecked);
    const asked = {
      ...(newRole === undefined ? {} : { role: newRole }),
      ...(isBlocked === undefined ? {} : { isBlocked }),
    };
    await changeAccount(getAccountStore(), id, asked, by);
    revalidatePath("/accounts");
    return null;
  });
}

export async function changeFolderRoleAction(
  unchecked: z.input<typeof requests.folder>,
): Promise<AccountResult> {
  return attempt(async () => {
    const by = await requireActor();
    const { address, role: least } = requests.folder.parse(unchecked);
    if (!(await listOpenFolders()).includes(address))
      throw new NotFoundError("This folder is not open here any more.");
    await setFolderRole(getAccountStore(), { address, role: least }, by);
    revalidatePath("/accounts");
    noteSave();
    return null;
  });
}

export async function createTokenAction(unchecked: z.input<typeof requests.token>): Promise<AccountResult> {
  return attempt(async () => {
    const request = requests.token.parse(unchecked);
    const token = await createToken(getAccountStore(), request, await requireActor());
    revalidatePath("/account");
    return token;
  });
}

export async function revokeTokenAction(unchecked: string): Promise<AccountResult> {
  return attempt(async () => {
    await revokeToken(getAccountStore(), text.parse(unchecked), await requireActor());
    revalidatePath("/account");
    return null;
  });
}

/** Disconnects the caller's account from the provider, if it has a password. */
export async function disconnectAction(): Promise<AccountResult> {
  return attempt(async () => {
    const settings = readOidcSettings(process.env);
    if (settings === null || !readSignInWays(process.env).hasPasswords)
      throw new ForbiddenError("There is no other way to sign in here. Reload the page.");
    await disconnect(getAccountStore(), settings, await requireActor());
    revalidatePath("/account");
    return null;
  });
}

async function requireActor(): Promise<Actor> {
  const account = await getAccount();
  if (account) return { account, address: await getSender() };
  throw new ForbiddenError("There are no accounts here. Make the first one with assay accounts add.");
}

async function attempt(work: () => Promise<string | null>): Promise<AccountResult> {
  try {
    return { status: "done", secret: await work() };
  } catch (error) {
    if (error instanceof z.ZodError)
      return { status: "failed", message: "The page is out of date. Reload it." };
    return { status: "failed", message: describeFailure(error) };
  }
}
