"use client";

import { Search } from "lucide-react";
import { type ComponentType, useState } from "react";

import { KeyCap } from "@/components/ui/button";

type PaletteComponent = ComponentType<{ onClose: () => void }>;

async function loadPalette(): Promise<PaletteComponent> {
  return (await import("./palette")).Palette;
}

/** Opens the search, whose code comes with the first opening. Ctrl K presses it, see `page-keys.tsx`. */
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
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => void open()}
        onPointerEnter={() => void loadPalette()}
      >
        <Search size={14} aria-hidden />
        <span>Search</span>
        <KeyCap>Ctrl K</KeyCap>
      </button>
      {isOpen && Palette !== null ? <Palette onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}
