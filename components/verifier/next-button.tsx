"use client";

import { useRouter } from "next/navigation";

import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { makeNextLabels } from "@/lib/pages/verifier/actions";

export function NextButton({ queue, label }: { queue: string | null; label: string }) {
  const router = useRouter();
  const { problem, isPending, run } = useAction();
  const make = (): void =>
    run(
      () => makeNextLabels({ queue }),
      ({ href }) => router.push(href),
    );
  return (
    <>
      <span role="status" className="problem">
        {problem}
      </span>
      <Button look="main" onClick={make} disabled={isPending}>
        {isPending ? "Making the queue" : label}
      </Button>
    </>
  );
}
