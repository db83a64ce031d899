"use client";

import { ChartNoAxesColumn } from "lucide-react";
import { useEffect, useState } from "react";

import { Button } from "@/components/ui/button";
import { MAX_GROUPS } from "@/lib/domain/compare-filter";

/** Says how many groups are ticked and sends them to the compare page. The boxes belong to the form by its id. */
export function CompareSelection({ formId }: { formId: string }) {
  const [count, setCount] = useState(0);

  useEffect(() => {
    const read = () => setCount(document.querySelectorAll(`input[form="${formId}"]:checked`).length);
    read();
    document.addEventListener("change", read);
    return () => document.removeEventListener("change", read);
  }, [formId]);

  function clear() {
    for (const box of document.querySelectorAll<HTMLInputElement>(`input[form="${formId}"]:checked`)) {
      box.checked = false;
    }
    setCount(0);
  }

  return (
    <form id={formId} action="/compare" className="compare-selection">
      {count === 0 ? null : (
        <>
          <b aria-live="polite">
            {count === 1 ? "1 group selected" : `${count} groups selected`}
            {count > MAX_GROUPS ? `, the first ${MAX_GROUPS} are compared` : ""}
          </b>
          <Button look="bare" onClick={clear}>
            Clear
          </Button>
        </>
      )}
      <Button
        type="submit"
        aria-disabled={count === 0}
        title="Tick groups of any jobs in the list, then compare them"
      >
        <ChartNoAxesColumn size={16} aria-hidden />
        {count < 2 ? "Compare" : `Compare ${Math.min(count, MAX_GROUPS)} groups`}
      </Button>
    </form>
  );
}
