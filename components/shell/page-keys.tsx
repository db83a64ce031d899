"use client";

import { usePathname } from "next/navigation";
import { useEffect, useLayoutEffect, useRef } from "react";

import { announce } from "./announcer";
import { handleCommandKey, nameKeyOfTarget, useCommands } from "./commands";
import { makeFocusHold } from "./hold-focus";

const ROW_LINK = "[data-row-link]";

function focusRow(
  select: (current: number, count: number) => number,
  within: ParentNode = document,
): false | undefined {
  const rows = [...within.querySelectorAll<HTMLElement>(ROW_LINK)].filter((row) => row.checkVisibility());
  const active = document.activeElement;
  const current = rows.findIndex((row) => row === active || row.closest("tr")?.contains(active));
  const next = rows[select(current, rows.length)];
  if (next === undefined) return false;
  next.focus();
  next.scrollIntoView({ block: "nearest" });
  return undefined;
}

function openTab(by: 1 | -1): false | undefined {
  const tabs = [...document.querySelectorAll<HTMLAnchorElement>("[data-tabs] > a")];
  const current = tabs.findIndex((tab) => tab.hasAttribute("aria-current"));
  const tab = tabs[current + by];
  if (tab === undefined) return false;
  tab.click();
  return undefined;
}

function selectRow(): false | undefined {
  const box = document.activeElement?.closest("tr")?.querySelector<HTMLInputElement>("input[type=checkbox]");
  if (!box) return false;
  box.click();
  // The row's link has the focus, so nothing else announces the checkbox.
  if (box !== document.activeElement)
    announce(`${box.checked ? "Selected" : "No longer selected"}: ${nameBox(box)}`);
  return undefined;
}

/** A checkbox is labelled "Select this and that", which reads as the announcement. */
function nameBox(box: HTMLInputElement): string {
  const name = box.getAttribute("aria-label") ?? box.labels?.[0]?.textContent ?? "row";
  return name.replace(/^Select /, "");
}

const ROW_KEYS: Readonly<Record<string, (current: number, count: number) => number>> = {
  ArrowDown: (current) => current + 1,
  ArrowUp: (current) => current - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function closeMenus(except: Node | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]")) {
    if (except === null || !menu.contains(except)) menu.open = false;
  }
}

function leaveMenu(): void {
  const menu = document.activeElement?.closest<HTMLDetailsElement>("details[data-menu][open]");
  menu?.querySelector("summary")?.focus();
  closeMenus(null);
}

function moveFromRow(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
  const select = ctrlKey || metaKey || altKey || shiftKey ? undefined : ROW_KEYS[key];
  const table = target instanceof Element && target.matches(ROW_LINK) ? target.closest("table") : null;
  if (select === undefined || table === null) return;
  event.preventDefault();
  focusRow(select, table);
}

function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  // Escape must still clear a field or close what the browser opened.
  if (event.key === "Escape") leaveMenu();
  else {
    moveFromRow(event);
    handleCommandKey(event);
  }
}

const holdInPage = makeFocusHold();

/** Focuses the new page after a link, because the link with the focus is gone. */
function useArrival(): void {
  const pathname = usePathname();
  const left = useRef(pathname);
  useEffect(() => {
    if (left.current === pathname) return;
    left.current = pathname;
    holdInPage(() => {
      // Leaves the focus to a page that sets its own and to links of the rail; keeps the scroll position.
      if (document.activeElement === document.body)
        document.getElementById("main")?.focus({ preventScroll: true });
    });
  }, [pathname]);
}

export function PageKeys() {
  useArrival();
  useCommands({
    "everywhere.nextRow": () => focusRow((current) => current + 1),
    "everywhere.previousRow": () => focusRow((current, count) => (current === -1 ? count : current) - 1),
    "everywhere.previousTab": () => openTab(-1),
    "everywhere.nextTab": () => openTab(1),
    "everywhere.keys": () => void document.getElementById("key-sheet")?.togglePopover(),
    "list.select": selectRow,
  });
  useLayoutEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener("keydown", handleKey, { signal });
    document.addEventListener("pointerover", nameKeyOfTarget, { signal, passive: true });
    document.addEventListener(
      "pointerdown",
      (event) => closeMenus(event.target instanceof Node ? event.target : null),
      { signal },
    );
    return () => stop.abort();
  }, []);
  return null;
}
