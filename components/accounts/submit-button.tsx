"use client";

import type { ComponentProps } from "react";

import { Button } from "@/components/ui/button";
import { useInBrowser } from "@/components/ui/use-in-browser";

/** Waits until scripts run: without them the browser would put the password into the URL. */
export function SubmitButton({ disabled = false, ...rest }: Omit<ComponentProps<typeof Button>, "type">) {
  const inBrowser = useInBrowser();
  return <Button type="submit" disabled={disabled || !inBrowser} {...rest} />;
}
