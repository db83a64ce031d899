"use client";

import { useEffect } from "react";

import { areSingleKeysOn, isTyping } from "./single-keys";

const ROW_LINK = "[data-row-link]";

/** Focuses the visible row that `select` chooses, given the place of the one that holds the focus; -1 where none does. */
function focusRow(select: (current: number, count: number) => number, within: ParentNode = document): void {
  const rows = [...within.querySelectorAll<HTMLElement>(ROW_LINK)].filter((row) => row.checkVisibility());
  const active = document.activeElement;
  const current = rows.findIndex((row) => row === active || row.closest("tr")?.contains(active));
  const next = rows[select(current, rows.length)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

const nextRow = () => focusRow((current) => current + 1);
const previousRow = () => focusRow((current, count) => (current === -1 ? count : current) - 1);

function openTab(by: 1 | -1): void {
  const tabs = [...document.querySelectorAll<HTMLAnchorElement>("[data-tabs] > a")];
  const current = tabs.findIndex((tab) => tab.hasAttribute("aria-current"));
  tabs[current + by]?.click();
}

const SINGLE_KEYS: Readonly<Record<string, () => void>> = {
  j: nextRow,
  k: previousRow,
  x: () =>
    (
      document.activeElement?.closest("tr")?.querySelector<HTMLElement>("input[type=checkbox]") ??
      document.querySelector<HTMLElement>("[data-swap]")
    )?.click(),
  "[": () => openTab(-1),
  "]": () => openTab(1),
  "/": () => document.querySelector<HTMLElement>("[data-filter-text]")?.focus(),
  "?": () => document.getElementById("key-sheet")?.togglePopover(),
};

/** On the link of a row: within its table. */
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

/** What a key with Ctrl or Cmd does, if anything. */
function actWithControl(event: KeyboardEvent): (() => void) | undefined {
  if (event.key.toLowerCase() !== "k") return undefined;
  return () => document.querySelector<HTMLElement>("[data-search]")?.click();
}

/** What a key does by itself, if anything. */
function actAlone(event: KeyboardEvent): (() => void) | undefined {
  if (event.key === "Escape") return leaveMenu;
  if (event.altKey || isTyping(event.target)) return undefined;
  const { key, shiftKey, target } = event;
  const table = target instanceof Element && target.matches(ROW_LINK) ? target.closest("table") : null;
  const select = shiftKey ? undefined : ROW_KEYS[key];
  if (table !== null && select !== undefined) return () => focusRow(select, table);
  return areSingleKeysOn() ? SINGLE_KEYS[key] : undefined;
}

function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const act = event.ctrlKey || event.metaKey ? actWithControl(event) : actAlone(event);
  if (act === undefined) return;
  // Escape must still empty a field or close what the browser opened.
  if (event.key !== "Escape") event.preventDefault();
  act();
}

/** The keys that work on every page, and the closing of menus by a click elsewhere. Draws nothing. */
export function PageKeys() {
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener("keydown", handleKey, { signal });
    document.addEventListener(
      "pointerdown",
      (event) => closeMenus(event.target instanceof Node ? event.target : null),
      { signal },
    );
    return () => stop.abort();
  }, []);
  return null;
}
