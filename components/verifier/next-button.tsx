"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";

import { Button } from "@/components/ui/button";
import { makeNextLabels } from "@/lib/pages/verifier/actions";

export function NextButton({ queue, label }: { queue: string | null; label: string }) {
  const router = useRouter();
  const [failure, setFailure] = useState("");
  const [isMaking, startMaking] = useTransition();
  const make = (): void =>
    startMaking(async () => {
      const result = await makeNextLabels({ queue });
      if (result.status === "made") router.push(result.href);
      else setFailure(result.message);
    });
  return (
    <>
      <span role="status" className="problem">
        {failure}
      </span>
      <Button look="main" onClick={make} disabled={isMaking}>
        {isMaking ? "Making the queue" : label}
      </Button>
    </>
  );
}
