import { render, waitFor } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import {
  AppRouterContext,
  type AppRouterInstance,
} from "next/dist/shared/lib/app-router-context.shared-runtime";
import {
  PathnameContext,
  SearchParamsContext,
} from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { type ReactNode, startTransition, StrictMode, useState } from "react";

import { AccountProvider } from "@/components/shell/account-context";
import { Announcer } from "@/components/shell/announcer";
import { PageFrame } from "@/components/shell/page-frame";
import { PageKeys } from "@/components/shell/page-keys";
import { PageClockProvider } from "@/components/ui/time-text";
import type { RefusedActions } from "@/lib/people/accounts";

interface Options {
  readonly address?: string;
  readonly refused?: RefusedActions;
  /** Delays pages that are opened later. */
  readonly loads?: Promise<unknown>;
}

interface OpenPage {
  readonly user: UserEvent;
  /** Addresses that were opened, the first one included. */
  readonly visited: readonly string[];
  /** Number of refreshes. */
  readonly countRefreshes: () => number;
  /** Draws the page again, as the server sends it after a change. */
  readonly redraw: () => void;
  readonly leave: () => void;
}

/**
 * Renders a page in the common frame, with its bar, keys and announcements. Links and the router open URLs, for which the page
 * is rendered again.
 */
export function openPage(
  draw: (address: URL) => ReactNode,
  { address = "/", refused = {}, loads }: Options = {},
): OpenPage {
  const visited = [address];
  let nRefreshes = 0;
  let show: (address: string) => void = () => undefined;
  let drawAgain: () => void = () => undefined;
  const open = (href: string): void => {
    visited.push(href);
    if (loads === undefined) show(href);
    else
      startTransition(async () => {
        await loads;
        startTransition(() => show(href));
      });
  };
  const router: AppRouterInstance = {
    push: open,
    replace: open,
    refresh: () => {
      nRefreshes++;
    },
    bfcacheId: "",
    back: () => undefined,
    forward: () => undefined,
    prefetch: () => undefined,
  };
  function Browser() {
    const [href, setHref] = useState(address);
    const [, setDrawn] = useState(0);
    show = setHref;
    drawAgain = () => setDrawn((n) => n + 1);
    const url = new URL(href, "http://localhost");
    return (
      <AppRouterContext value={router}>
        <PathnameContext value={url.pathname}>
          <SearchParamsContext value={url.searchParams}>
            <AccountProvider account={null} refused={refused}>
              <PageClockProvider initial={{ zone: "UTC", year: 2026 }}>
                <PageFrame crumbs={[]}>{draw(url)}</PageFrame>
              </PageClockProvider>
              <PageKeys />
            </AccountProvider>
            <Announcer />
          </SearchParamsContext>
        </PathnameContext>
      </AppRouterContext>
    );
  }
  const { unmount } = render(
    <StrictMode>
      <Browser />
    </StrictMode>,
  );
  return {
    user: setUpUser(),
    visited,
    countRefreshes: () => nRefreshes,
    redraw: () => startTransition(drawAgain),
    leave: unmount,
  };
}

/** A user who waits until a button is enabled: answers render before their transition ends. */
function setUpUser(): UserEvent {
  const user = userEvent.setup({ delay: null });
  const isFree = (element: Element): Promise<void> =>
    waitFor(() => {
      if (element.matches(":disabled")) throw new Error("still disabled");
    });
  return {
    ...user,
    click: (element) => isFree(element).then(() => user.click(element)),
    upload: (element, file) => isFree(element).then(() => user.upload(element, file)),
  };
}
