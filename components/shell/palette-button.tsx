"use client";

import { Search } from "lucide-react";
import { type ComponentType, useLayoutEffect, useRef, useState } from "react";

import { CommandKey } from "./command-key";

import "./palette.css";

type PaletteComponent = ComponentType<{ typed: string; onClose: () => void }>;

async function loadPalette(): Promise<PaletteComponent> {
  return (await import("./palette")).Palette;
}

/** The code of the search loads with the first opening. A key presses it, see `key-map.ts`. */
export function PaletteButton() {
  const [Palette, setPalette] = useState<PaletteComponent | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  function close(): void {
    setIsOpen(false);
    // The search opened over the pending field, so the browser cannot give the focus back.
    button.current?.focus();
    setTyped("");
  }
  async function open(): Promise<void> {
    setIsOpen(true);
    const loaded = Palette ?? (await loadPalette());
    setPalette(() => loaded);
  }
  return (
    <>
      <button
        ref={button}
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
      {!isOpen ? null : Palette === null ? (
        <PendingField typed={typed} onType={setTyped} onClose={close} />
      ) : (
        <Palette typed={typed} onClose={close} />
      )}
    </>
  );
}

/** Takes the keys typed while the code of the search loads. The page would run them as shortcuts. */
function PendingField({
  typed,
  onType,
  onClose,
}: {
  typed: string;
  onType: (text: string) => void;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="palette" aria-label="Search" onClose={onClose}>
      <input
        cmdk-input=""
        aria-label="Search"
        value={typed}
        onChange={(event) => onType(event.target.value)}
      />
    </dialog>
  );
}
