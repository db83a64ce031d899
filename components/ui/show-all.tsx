import { Download } from "lucide-react";
import type { Route } from "next";

import { withBasePath } from "@/lib/core/domain/base-path";

export function ShowAll({ href, file }: { href: Route; file: string }) {
  return (
    <a className="show-all" href={withBasePath(href)} download title={file} aria-label={`Show all: ${file}`}>
      <Download size={12} strokeWidth={1.5} aria-hidden />
      Show all
    </a>
  );
}
