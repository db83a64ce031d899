"use client";

import type { ComponentProps } from "react";

import { Button } from "@/components/ui/button";
import { useInBrowser } from "@/components/ui/use-in-browser";

/** Sends a form with a password, once the page's scripts run: without them a browser would put the password into the address. */
export function SubmitButton({ disabled = false, ...rest }: Omit<ComponentProps<typeof Button>, "type">) {
  const inBrowser = useInBrowser();
  return <Button type="submit" disabled={disabled || !inBrowser} {...rest} />;
}
