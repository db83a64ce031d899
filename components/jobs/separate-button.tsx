"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";

import { useAction } from "@/components/shell/use-action";
import { deleteRunSetAction } from "@/lib/pages/run-sets/actions";

export function SeparateButton({ id, name }: { id: string; name: string }) {
  const router = useRouter();
  const { isPending, run } = useAction({ isAnnounced: true });
  const separate = (): void =>
    run(
      () => deleteRunSetAction(id),
      () => {
        const query = new URLSearchParams(location.search);
        query.set("changed", id);
        router.push(`/?${query.toString()}` as Route); // The list itself.
      },
    );
  return (
    <button
      type="button"
      className="jobs-separate"
      disabled={isPending}
      aria-label={`Take ${name} apart`}
      title="Count its jobs separately again"
      onClick={separate}
    >
      take apart
    </button>
  );
}
