"use client";

import { type LucideIcon, Pilcrow, WrapText } from "lucide-react";
import { useSyncExternalStore } from "react";

import "./wrap-switch.css";

export function WrapSwitch() {
  return <RememberedSwitch name="wrap" label="Wrap long lines" Icon={WrapText} />;
}

export function RawSwitch() {
  return <RememberedSwitch name="raw" label="Show Markdown and JSON as written" Icon={Pilcrow} />;
}

/** Stored per browser, and set as an attribute that style sheets use. */
function RememberedSwitch({ name, label, Icon }: { name: "wrap" | "raw"; label: string; Icon: LucideIcon }) {
  const { subscribe, isOn: read, set } = CHOICES[name];
  const isOn = useSyncExternalStore(subscribe, read, () => false);
  return (
    <button
      type="button"
      className="button button-bare wrap-switch"
      aria-pressed={isOn}
      aria-label={label}
      title={label}
      data-display={name}
      onClick={() => set(!isOn)}
    >
      <Icon size={14} aria-hidden />
    </button>
  );
}

const CHOICES = { wrap: makeChoice("wrap"), raw: makeChoice("raw") };

function makeChoice(name: string) {
  const [key, changed, attribute] = [`assay-${name}`, `assay-${name}-changed`, `data-${name}`];
  const isOn = (): boolean => {
    try {
      return localStorage.getItem(key) === "on";
    } catch {
      return document.documentElement.hasAttribute(attribute);
    }
  };
  const subscribe = (notify: () => void): (() => void) => {
    const show = () => {
      document.documentElement.toggleAttribute(attribute, isOn());
      notify();
    };
    show();
    window.addEventListener(changed, show);
    window.addEventListener("storage", show);
    return () => {
      window.removeEventListener(changed, show);
      window.removeEventListener("storage", show);
    };
  };
  const set = (isWanted: boolean): void => {
    try {
      localStorage.setItem(key, isWanted ? "on" : "off");
    } catch {
      // Storage may be blocked; the choice then holds for this page.
      document.documentElement.toggleAttribute(attribute, isWanted);
    }
    window.dispatchEvent(new Event(changed));
  };
  return { isOn, subscribe, set };
}
