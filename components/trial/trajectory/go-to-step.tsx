"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";

import { buildHref } from "@/lib/addresses/href";

/** Opens the step whose number is typed; `#` comes here from anywhere on the page. */
export function GoToStep() {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  return (
    <form
      role="presentation"
      onSubmit={(event) => {
        event.preventDefault();
        const step = new FormData(event.currentTarget).get("step");
        if (typeof step !== "string" || step.trim() === "") return;
        const query = new URLSearchParams(search.toString());
        query.delete("from");
        query.set("step", step.trim());
        router.push(buildHref(`${pathname}?${query.toString()}`), { scroll: false });
        event.currentTarget.reset();
      }}
    >
      <input
        name="step"
        placeholder="Step"
        aria-label="Go to the step of this number"
        title="Go to the step of this number (#)"
        autoComplete="off"
        data-go-to-step=""
      />
    </form>
  );
}
