"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useTransition } from "react";

import { announce } from "@/components/shell/announcer";
import { deleteRunSetAction } from "@/lib/pages/run-sets/actions";

export function SeparateButton({ id, name }: { id: string; name: string }) {
  const router = useRouter();
  const [isChanging, startChange] = useTransition();
  const separate = (): void =>
    startChange(async () => {
      const result = await deleteRunSetAction(id).catch(() => null);
      if (result?.status !== "done") {
        announce(result?.message ?? "Assay is not responding. Nothing was changed.", { isShown: true });
        return;
      }
      const query = new URLSearchParams(location.search);
      query.set("changed", id);
      router.push(`/?${query.toString()}` as Route); // The list itself.
    });
  return (
    <button
      type="button"
      className="jobs-separate"
      disabled={isChanging}
      aria-label={`Take ${name} apart`}
      title="Let its jobs count by themselves again"
      onClick={separate}
    >
      take apart
    </button>
  );
}
