"use client";

import "./globals.css";
import "@/components/ui/ui.css";
import { WholePageError } from "@/components/shell/page-error";

import { geistMono, geistSans } from "./fonts";

export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return <WholePageError error={error} fonts={`${geistSans.variable} ${geistMono.variable}`} />;
}
