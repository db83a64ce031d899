"use client";

import { announce } from "@/components/shell/announcer";
import { useCommands } from "@/components/shell/commands";

function findStepLink(): HTMLAnchorElement | null {
  const row =
    document.activeElement?.closest("[data-step]") ??
    document.querySelector("[data-step][data-pointed]") ??
    document.querySelector("[data-step].step-current");
  return row?.querySelector<HTMLAnchorElement>("a[data-row-link]") ?? null;
}

export function TrialKeys() {
  useCommands({
    "trial.copyLink": () => copyStep(writeLink),
    "trial.copyStep": () =>
      copyStep((name, link) => ({ text: writeMarkdown(name, link), what: `${name} as Markdown` })),
    "trial.unfold": unfoldTexts,
  });
  return null;
}

function unfoldTexts(): false | undefined {
  const all = [...document.querySelectorAll<HTMLDetailsElement>("details[data-fold]")];
  if (all.length === 0) return false;
  const isOpen = all.every(({ open }) => open);
  for (const one of all) one.open = !isOpen;
  announce(`Reasoning and repeated texts ${isOpen ? "folded" : "unfolded"}`);
  return undefined;
}

function copyStep(
  write: (name: string, link: HTMLAnchorElement) => { readonly text: string; readonly what: string },
): false | undefined {
  const link = findStepLink();
  if (link === null) return false;
  const { text, what } = write(link.getAttribute("aria-label") ?? "Step", link);
  void copy(text, what).then((said) => announce(said, { isShown: true }));
  return undefined;
}

function writeLink(name: string, link: HTMLAnchorElement) {
  const what = `Link to ${name.toLowerCase()}`;
  const line = findSelectedLine(link);
  if (line === null) return { text: link.href, what };
  const address = new URL(link.href);
  address.searchParams.set("line", String(line));
  return { text: address.href, what: `${what}, line ${line}` };
}

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
    // Browsers refuse outside a secure context; the step's number is a link that can be copied.
    return "Copying requires HTTPS";
  }
}

function writeMarkdown(name: string, link: HTMLAnchorElement): string {
  const step = link.closest("[data-step]");
  const head = [step?.querySelector("b"), step?.querySelector(".step-head code")].map(
    (part) => part?.textContent,
  );
  const blocks = [...(step?.querySelectorAll("pre") ?? [])].map((block) => {
    const text = readMarkdown(block).trimEnd() + nameRest(block);
    // The fence must be longer than any fence in its content.
    let fence = "```";
    while (text.includes(fence)) fence += "`";
    return block.classList.contains("step-prose") ? text : `${fence}\n${text}\n${fence}`;
  });
  const title = `**[${name}](${link.href})** ${head.filter(Boolean).join(" ")}`;
  return `${[title, ...blocks].join("\n\n")}\n`;
}

function nameRest({ dataset: { more, cut } }: HTMLElement): string {
  const nMore = Number(more ?? 0);
  const folded = nMore > 0 ? [`… ${nMore.toLocaleString("en")} more lines`] : [];
  return [...folded, ...(cut ? [`… ${cut}`] : [])].map((line) => `\n${line}`).join("");
}

/** Markdown signs for inline words, which style sheets draw on the page. */
const SIGNS: Readonly<Record<string, string>> = { CODE: "`", B: "**" };

function readMarkdown(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? "";
  const sign = SIGNS[node.nodeName] ?? "";
  return `${sign}${[...node.childNodes].map(readMarkdown).join("")}${sign}`;
}
