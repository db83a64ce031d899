// First, because it declares the order of the layers of all style sheets.
import "./globals.css";
import "@/components/ui/ui.css";
import "@/components/ui/lists.css";
import type { Metadata } from "next";
import type { ReactNode } from "react";

import { AccountProvider } from "@/components/shell/account-context";
import { Announcer } from "@/components/shell/announcer";
import { IndexBanner, NoIndex } from "@/components/shell/index-banner";
import { LiveStateProvider } from "@/components/shell/live-state";
import { LiveUpdates } from "@/components/shell/live-updates";
import { PageKeys } from "@/components/shell/page-keys";
import { Rail } from "@/components/shell/rail";
import { THEME_SCRIPT } from "@/components/shell/theme";
import { Sprite } from "@/components/ui/sprite";
import { PageClockProvider } from "@/components/ui/time-text";
import type { Account } from "@/lib/core/domain/account";
import { getLiveState } from "@/lib/pages/shell/live";
import { getAccount, getPageClock, getPageNonce, getRefusedActions } from "@/lib/pages/shell/request";
import { getShell } from "@/lib/pages/shell/shell";

import { geistMono, geistSans } from "./fonts";

import "@/components/shell/shell.css";
import "@/components/charts/charts.css";

const PAGE_END = "page-end";

export const metadata: Metadata = {
  title: { default: "Assay", template: "%s · Assay" },
  description: "Recomputes, explains and reviews the results of agent benchmark runs.",
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [account, nonce] = await Promise.all([getAccount(), getPageNonce()]);
  // Users without a session see only the sign-in page.
  const isBare = account === null;
  return (
    <html
      lang="en"
      className={`${geistSans.variable} ${geistMono.variable}`}
      data-account={account?.name}
      suppressHydrationWarning
    >
      <head>
        {/* Sets the theme before the first paint; the text is a constant. */}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
        {/* Delays the first paint until the page is parsed: a partial table would move its columns. */}
        {isBare ? null : <link rel="expect" href={`#${PAGE_END}`} blocking="render" />}
      </head>
      <body>
        {isBare ? (
          <>
            <Sprite />
            {children}
          </>
        ) : (
          <Frame account={account ?? null}>{children}</Frame>
        )}
      </body>
    </html>
  );
}

async function Frame({ account, children }: { account: Account | null; children: ReactNode }) {
  const [shell, live, clock, refused] = await Promise.all([
    getShell(),
    getLiveState(),
    getPageClock(),
    getRefusedActions(),
  ]);
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Sprite />
      <IndexBanner shell={shell} />
      <AccountProvider account={account} refused={refused}>
        <LiveStateProvider initial={live}>
          <PageClockProvider initial={clock}>
            <div className="shell">
              <Rail shell={shell} />
              {shell.hasIndex ? children : <NoIndex failure={shell.failure} />}
            </div>
          </PageClockProvider>
          <LiveUpdates initial={live} />
        </LiveStateProvider>
        <PageKeys />
      </AccountProvider>
      <Announcer />
      <span id={PAGE_END} hidden />
    </>
  );
}
