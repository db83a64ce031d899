"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";

import { changeQuery, queryHref } from "@/components/ui/use-address-text";

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
