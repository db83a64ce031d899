"use client";

import { Contrast } from "lucide-react";

import { toggleTheme } from "./theme";

export function ThemeToggle() {
  return (
    <button
      type="button"
      className="button button-bare icon-only"
      title="Light or dark"
      aria-label="Switch between light and dark"
      onClick={toggleTheme}
    >
      <Contrast size={16} aria-hidden />
    </button>
  );
}
