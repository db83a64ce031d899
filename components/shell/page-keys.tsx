"use client";

import { useEffect } from "react";

import { areSingleKeysOn, isTyping, setSingleKeysOn } from "./single-keys";

/** Moves focus among the visible elements that match, starting from the one that holds it (or its row). */
function moveFocus(selector: string, by: 1 | -1): void {
  const targets = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (target) => target.offsetParent !== null,
  );
  const active = document.activeElement;
  const current = targets.findIndex((target) => target === active || target.closest("tr")?.contains(active));
  const next = targets[current === -1 ? (by === 1 ? 0 : targets.length - 1) : current + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function openTab(by: 1 | -1): void {
  const tabs = [...document.querySelectorAll<HTMLAnchorElement>("[data-tabs] > a")];
  const current = tabs.findIndex((tab) => tab.hasAttribute("aria-current"));
  tabs[current + by]?.click();
}

const SINGLE_KEYS: Readonly<Record<string, () => void>> = {
  j: () => moveFocus("[data-row-link]", 1),
  k: () => moveFocus("[data-row-link]", -1),
  x: () =>
    document.activeElement?.closest("tr")?.querySelector<HTMLInputElement>("input[type=checkbox]")?.click(),
  "[": () => openTab(-1),
  "]": () => openTab(1),
  "/": () => document.querySelector<HTMLElement>("[data-filter-text]")?.focus(),
  "?": () => document.getElementById("key-sheet")?.togglePopover(),
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
  if (event.altKey || isTyping(event.target) || !areSingleKeysOn()) return undefined;
  return SINGLE_KEYS[event.key];
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
      {
        signal,
      },
    );
    document.addEventListener(
      "change",
      (event) => {
        if (event.target instanceof HTMLInputElement && event.target.matches("[data-single-keys]")) {
          setSingleKeysOn(event.target.checked);
        }
      },
      { signal },
    );
    return () => stop.abort();
  }, []);
  return null;
}
