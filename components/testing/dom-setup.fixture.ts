import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

import { forgetAnswers } from "./server-actions.fixture";

configure({
  // Machines that build and test at once stall.
  asyncUtilTimeout: 30_000,
  // Without the whole document.
  getElementError: (message) => new Error(message ?? ""),
});

globalThis.fetch = () => Promise.reject(new TypeError("no network"));

afterEach(() => {
  // A focused field would receive keys of the next test.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  cleanup();
  forgetAnswers();
  localStorage.clear();
  for (const cookie of document.cookie.split("; "))
    document.cookie = `${cookie.split("=")[0] ?? ""}=; max-age=0; path=/`;
});

/** happy-dom has no popovers yet, and leaves Escape to the page. */
function togglePopover(this: HTMLElement): boolean {
  const isOpen = this.dataset["isOpen"] === undefined;
  const states = { oldState: isOpen ? "closed" : "open", newState: isOpen ? "open" : "closed" };
  this.dispatchEvent(Object.assign(new Event("beforetoggle"), states));
  if (isOpen) this.dataset["isOpen"] = "";
  else delete this.dataset["isOpen"];
  this.dispatchEvent(Object.assign(new Event("toggle"), states));
  return isOpen;
}

// Test files share their document.
if (!("togglePopover" in HTMLElement.prototype)) {
  Object.assign(HTMLElement.prototype, { togglePopover, showPopover: togglePopover });
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("[popovertarget]") : null;
    if (button !== null) document.getElementById(button.getAttribute("popovertarget") ?? "")?.togglePopover();
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    const popover = document.querySelector<HTMLElement>("[popover][data-is-open]");
    if (popover !== null) togglePopover.call(popover);
    else document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
  });
  // Browsers give the focus back once a dialog closes.
  let opener: HTMLElement | null = null;
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement && target.closest("dialog") === null) opener = target;
  });
  document.addEventListener("close", () => opener?.focus(), true);
}
