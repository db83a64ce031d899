"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";

import { withBasePath } from "@/lib/core/domain/base-path";

/** Choices are the URL, followed without a page load. Not links, because each URL would repeat every group. */
export function ChangeForm({ children }: { children: ReactNode }) {
  const router = useRouter();
  const open = (form: HTMLFormElement, submitter: HTMLElement | null): void => {
    const fields = [...new FormData(form, submitter)].flatMap(([name, value]) =>
      typeof value === "string" && value !== "" ? [[name, value]] : [],
    );
    router.replace(`/compare?${new URLSearchParams(fields).toString()}` as Route, { scroll: false });
  };
  return (
    <form
      action={withBasePath("/compare")}
      onSubmit={(event) => {
        event.preventDefault();
        open(event.currentTarget, event.nativeEvent.submitter);
      }}
      onChange={({ currentTarget }) => open(currentTarget, null)}
    >
      {children}
    </form>
  );
}
