"use client";

import { type LucideIcon, Pilcrow, WrapText } from "lucide-react";
import { useLayoutEffect } from "react";

import { Button } from "@/components/ui/button";
import { createStoredText, useSignal } from "@/components/ui/signal";

import "./wrap-switch.css";

export function WrapSwitch() {
  return <RememberedSwitch name="wrap" label="Wrap long lines" Icon={WrapText} />;
}

export function RawSwitch() {
  return <RememberedSwitch name="raw" label="Show Markdown and JSON as written" Icon={Pilcrow} />;
}

const CHOICES = { wrap: createStoredText("assay-wrap"), raw: createStoredText("assay-raw") };

/** Stored per browser, and set as an attribute that style sheets use. */
function RememberedSwitch({ name, label, Icon }: { name: "wrap" | "raw"; label: string; Icon: LucideIcon }) {
  const isOn = useSignal(CHOICES[name], null) === "on";
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute(`data-${name}`, isOn);
  }, [name, isOn]);
  return (
    <Button
      look="bare"
      className="wrap-switch"
      aria-pressed={isOn}
      aria-label={label}
      title={label}
      data-command={`trial.${name}`}
      onClick={() => CHOICES[name].set(isOn ? "off" : "on")}
    >
      <Icon size={14} aria-hidden />
    </Button>
  );
}
