"use client";

import { useEffect, useState } from "react";

import { areSingleKeysOn } from "@/components/shell/single-keys";

/** The step that holds the focus, else the one the page opened at. */
function findStepLink(): HTMLAnchorElement | null {
  const row =
    document.activeElement?.closest("[data-step]") ?? document.querySelector("[data-step].step-current");
  return row?.querySelector<HTMLAnchorElement>("a[data-row-link]") ?? null;
}

/** Braces and number signs are typed with AltGr or Shift; systems report AltGr as Ctrl and Alt. */
function isPlain(event: KeyboardEvent): boolean {
  if (event.shiftKey && event.key.startsWith("Arrow")) return false;
  return event.getModifierState("AltGraph") || !(event.ctrlKey || event.metaKey || event.altKey);
}

function isFree({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return true;
  // Arrows scroll a text; other keys do nothing there.
  if (key.startsWith("Arrow") && target.closest("pre, [tabindex='0']") !== null) return false;
  return (
    target.closest(
      "input, textarea, select, [role=radiogroup], [role=radio], [contenteditable], details[data-menu]",
    ) === null
  );
}

/** What keys click, by what they are called on this page. */
const LINKS: Readonly<Record<string, string>> = {
  ArrowLeft: "a[data-neighbour=previous]",
  ArrowRight: "a[data-neighbour=next]",
  l: "a[data-list]",
  c: "a[data-beside]",
  J: "a[data-error-step=Next]",
  K: "a[data-error-step=Previous]",
  w: "[data-display=wrap]",
  r: "[data-display=raw]",
  "{": ".trace-source nav a:has(+ [aria-current])",
  "}": ".trace-source nav [aria-current] + a",
};

/**
 * Arrow keys go to the previous and next trial, `l` back to their list, `c` to another attempt beside this one, `J` and `K` to
 * steps with an error, braces to another trace, `#` to the field for the number of a step or line, `w` wraps lines, `r` shows texts as they were written, `z`
 * unfolds reasoning and repeated texts; `y` copies a link to the step, and to its line that was clicked or selected, `Y` the step. Says what was copied, draws nothing else.
 */
export function TrialKeys() {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.defaultPrevented || !isPlain(event) || !isFree(event) || !areSingleKeysOn()) return;
        const link = LINKS[event.key];
        if (link !== undefined) document.querySelector<HTMLElement>(link)?.click();
        else if (event.key === "z") unfoldTexts();
        else if (event.key === "#") {
          event.preventDefault();
          document.querySelector<HTMLInputElement>("[data-go-to]")?.focus();
        } else {
          const step = findStepLink();
          const copied = step === null ? null : copyStep(event.key, step);
          if (copied === null) return;
          setSaid("");
          void copied.then(setSaid);
        }
      },
      { signal: stop.signal },
    );
    return () => stop.abort();
  }, []);
  return (
    <p className={said === "" ? "screen-reader" : "trial-said"} role="status">
      {said}
    </p>
  );
}

/** Opens all that agents thought and all texts that repeat an earlier one, or folds them where all of it is open. */
function unfoldTexts(): void {
  const all = [...document.querySelectorAll<HTMLDetailsElement>("details[data-fold]")];
  const isOpen = all.every(({ open }) => open);
  for (const one of all) one.open = !isOpen;
}

/** Copies a link to a step, or all that is drawn of it as Markdown; null for another key. */
function copyStep(key: string, link: HTMLAnchorElement): Promise<string> | null {
  const name = link.getAttribute("aria-label") ?? "Step";
  if (key === "y") {
    const line = findSelectedLine(link);
    if (line === null) return copy(link.href, `Link to ${name.toLowerCase()}`);
    const address = new URL(link.href);
    address.searchParams.set("line", String(line));
    return copy(address.href, `Link to ${name.toLowerCase()}, line ${line}`);
  }
  return key === "Y" ? copy(writeMarkdown(name, link), `${name} as Markdown`) : null;
}

/** Number of the line of a step in which somebody clicked or selected text; null for another place. */
function findSelectedLine(link: HTMLAnchorElement): number | null {
  const { anchorNode: node, anchorOffset = 0 } = getSelection() ?? {};
  const around = node instanceof Element ? node : node?.parentElement;
  const text = around?.closest<HTMLElement>("pre[data-line]") ?? null;
  if (!node || text === null || !link.closest("[data-step]")?.contains(text)) return null;
  const before = new Range();
  before.selectNodeContents(text);
  before.setEnd(node, anchorOffset);
  return Number(text.dataset["line"]) + before.toString().split("\n").length - 1;
}

async function copy(text: string, what: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return `${what} copied`;
  } catch {
    // Browsers refuse outside a secure context; the step's number is a link that can be copied by hand.
    return "Copying is not allowed here";
  }
}

function writeMarkdown(name: string, link: HTMLAnchorElement): string {
  const step = link.closest("[data-step]");
  const head = [step?.querySelector("b"), step?.querySelector(".step-head code")].map(
    (part) => part?.textContent,
  );
  const blocks = [...(step?.querySelectorAll("pre") ?? [])].map((block) => {
    const text = readMarkdown(block).trimEnd() + nameRest(block);
    // A fence is longer than any that stands in what it holds.
    let fence = "```";
    while (text.includes(fence)) fence += "`";
    return block.classList.contains("step-prose") ? text : `${fence}\n${text}\n${fence}`;
  });
  const title = `**[${name}](${link.href})** ${head.filter(Boolean).join(" ")}`;
  return `${[title, ...blocks].join("\n\n")}\n`;
}

/** What of a folded or cut text is not copied. */
function nameRest({ dataset: { more, cut } }: HTMLElement): string {
  const nMore = Number(more ?? 0);
  const folded = nMore > 0 ? [`… ${nMore.toLocaleString("en")} more lines`] : [];
  return [...folded, ...(cut ? [`… ${cut}`] : [])].map((line) => `\n${line}`).join("");
}

/** Signs around single words, which styles draw on the page. */
const SIGNS: Readonly<Record<string, string>> = { CODE: "`", B: "**" };

function readMarkdown(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? "";
  const sign = SIGNS[node.nodeName] ?? "";
  return `${sign}${[...node.childNodes].map(readMarkdown).join("")}${sign}`;
}
