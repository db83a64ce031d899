"use client";

import { Search } from "lucide-react";
import { type ComponentType, useState } from "react";

import { CommandKey } from "./command-key";

type PaletteComponent = ComponentType<{ onClose: () => void }>;

async function loadPalette(): Promise<PaletteComponent> {
  return (await import("./palette")).Palette;
}

/** The code of the search loads with the first opening. A key presses it, see `key-map.ts`. */
export function PaletteButton() {
  const [Palette, setPalette] = useState<PaletteComponent | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  async function open(): Promise<void> {
    setIsOpen(true);
    const loaded = Palette ?? (await loadPalette());
    setPalette(() => loaded);
  }
  return (
    <>
      <button
        type="button"
        className="topbar-search"
        data-search=""
        aria-haspopup="dialog"
        onClick={() => void open()}
        onPointerEnter={() => void loadPalette()}
      >
        <Search size={14} aria-hidden />
        <span>Search</span>
        <CommandKey id="everywhere.search" />
      </button>
      {isOpen && Palette !== null ? <Palette onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}
