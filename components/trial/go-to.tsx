"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";

import { buildHref } from "@/lib/pages/address/href";

/** URL parameters that select a part and would hide the target. */
const PARTS = { step: ["from"], line: ["from", "end", "view"] } as const;

export function GoTo({ what }: { what: keyof typeof PARTS }) {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const label = `Go to the ${what} of this number`;
  return (
    <form
      role="presentation"
      className="go-to"
      onSubmit={(event) => {
        event.preventDefault();
        const number = new FormData(event.currentTarget).get(what);
        if (typeof number !== "string" || number.trim() === "") return;
        const query = new URLSearchParams(search.toString());
        for (const part of PARTS[what]) query.delete(part);
        query.set(what, number.trim());
        router.push(buildHref(`${pathname}?${query.toString()}`), { scroll: false });
        event.currentTarget.reset();
      }}
    >
      <input
        name={what}
        placeholder={what === "step" ? "Step" : "Line"}
        aria-label={label}
        title={label}
        autoComplete="off"
        data-go-to=""
      />
    </form>
  );
}
