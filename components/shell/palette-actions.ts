import type { Route } from "next";

/** What the palette can do besides opening a result. */
export interface PaletteAction {
  readonly label: string;
  /** Other words that it is found by. */
  readonly words: string;
  readonly act: { readonly href: Route } | "save-view" | "toggle-theme" | "toggle-zone" | "key-sheet";
}

const ACTIONS: readonly PaletteAction[] = [
  { label: "Save this view…", words: "bookmark name address filter", act: "save-view" },
  { label: "Go to Jobs", words: "list home", act: { href: "/" } },
  { label: "Go to Compare", words: "groups pass@k curves", act: { href: "/compare" } },
  { label: "Go to Errors", words: "exceptions", act: { href: "/errors" } },
  { label: "Go to Annotations", words: "reviews judgments", act: { href: "/annotations" } },
  { label: "Go to Load report", words: "issues problems", act: { href: "/load-report" } },
  { label: "Go to Saved views", words: "rename delete bookmarks", act: { href: "/views" } },
  { label: "Switch between light and dark", words: "theme", act: "toggle-theme" },
  { label: "Switch times between UTC and your zone", words: "time zone local clock", act: "toggle-zone" },
  { label: "Show the keyboard sheet", words: "keys shortcuts help", act: "key-sheet" },
];

/** The actions that have every word of the text, in their order. */
export function findActions(text: string): readonly PaletteAction[] {
  const words = text.trim().toLowerCase().split(/\s+/);
  return ACTIONS.filter(({ label, words: more }) => {
    const all = `${label} ${more}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
