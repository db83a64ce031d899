"use client";

import { createContext, type ReactNode, useContext } from "react";

import type { Account } from "@/lib/core/domain/account";
import type { ActionName, RefusedActions } from "@/lib/people/accounts";

interface Signed {
  readonly account: Account | null;
  readonly refused: RefusedActions;
}

const AccountContext = createContext<Signed>({ account: null, refused: {} });

export function AccountProvider({ account, refused, children }: Signed & { children: ReactNode }) {
  return <AccountContext value={{ account, refused }}>{children}</AccountContext>;
}

export function useAccountName(): string | null {
  return useContext(AccountContext).account?.name ?? null;
}

export function useMay(action: ActionName): boolean {
  return useContext(AccountContext).refused[action] === undefined;
}

export function ForAction({
  action,
  subject,
  children,
}: {
  action: ActionName;
  subject?: string;
  children?: ReactNode;
}) {
  const { account, refused } = useContext(AccountContext);
  const least = refused[action];
  if (least === undefined) return children;
  if (subject === undefined) return null;
  return (
    <p className="muted" role="note">
      {subject} requires the {least} role; yours is {account?.role}. Ask an admin for it.
    </p>
  );
}
