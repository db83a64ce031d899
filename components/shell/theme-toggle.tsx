"use client";

import { Contrast } from "lucide-react";

import { THEME_KEY } from "./theme";

/** Switches between light and dark and remembers the choice in this browser. */
export function ThemeToggle() {
  function toggle() {
    const { dataset } = document.documentElement;
    dataset["theme"] = dataset["theme"] === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(THEME_KEY, dataset["theme"]);
    } catch {
      // Storage may be blocked; the theme then lasts until the page is left.
    }
  }
  return (
    <button
      type="button"
      className="button button-bare icon-only"
      title="Light or dark"
      aria-label="Switch between light and dark"
      onClick={toggle}
    >
      <Contrast size={16} aria-hidden />
    </button>
  );
}
