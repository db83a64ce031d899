"use client";

import { type LucideIcon, Pilcrow, WrapText } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useLayoutEffect } from "react";

import { isTyping } from "@/components/shell/commands";
import { Button } from "@/components/ui/button";
import { createStoredText, useSignal } from "@/components/ui/signal";
import { changeQuery, queryHref } from "@/components/ui/use-address-text";

export function ScrollTo({
  id,
  block,
  focus,
}: {
  id: string;
  block: "center" | "nearest";
  focus: "pre" | "link" | "self";
}) {
  useEffect(() => {
    const element = document.getElementById(id);
    element?.scrollIntoView({ block });
    if (isTypedInto(document.activeElement)) return;
    const target = {
      pre: element?.closest("pre"),
      link: element?.querySelector<HTMLElement>("[data-row-link]"),
      self: element,
    }[focus];
    // A row that was left by mouse or touch still needs a visible focus on return.
    target?.focus({ preventScroll: true, ...(focus === "self" ? { focusVisible: true } : {}) });
  }, [id, block, focus]);
  return null;
}

/** True if the user is stepping through matches or started a note: further keys would run as commands. */
function isTypedInto(field: Element | null): boolean {
  // The number field that led here is emptied at once.
  return isTyping(field) && !field.matches(".go-to > :placeholder-shown");
}

/** URL parameters that select a part and would hide the target. */
const PARTS = { step: { from: "" }, line: { from: "", end: "", view: "" } } as const;

export function GoTo({ what }: { what: keyof typeof PARTS }) {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const label = `Go to the ${what} with this number`;
  return (
    <form
      role="presentation"
      className="go-to"
      onSubmit={(event) => {
        event.preventDefault();
        const number = new FormData(event.currentTarget).get(what);
        if (typeof number !== "string" || number.trim() === "") return;
        const query = changeQuery(search, { ...PARTS[what], [what]: number.trim() });
        router.push(queryHref(pathname, query), { scroll: false });
        event.currentTarget.reset();
      }}
    >
      <input
        className="input"
        name={what}
        placeholder={what === "step" ? "Step" : "Line"}
        aria-label={label}
        title={label}
        autoComplete="off"
        data-command="trial.goTo"
      />
    </form>
  );
}

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
