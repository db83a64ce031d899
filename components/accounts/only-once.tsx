import type { ReactNode } from "react";

import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";

export function OnlyOnce({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Notice
      title={title}
      code={text}
      actions={
        <CopyButton
          text={text}
          label="Copy"
          source={(button) => button.closest(".notice")?.querySelector(".notice-code")}
        >
          Copy
        </CopyButton>
      }
    >
      {children}
    </Notice>
  );
}
