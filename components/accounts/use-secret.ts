"use client";

import { useState } from "react";

interface ShownSecret {
  readonly secret: string | null;
  /** Must be called while `listed` is still the list from before the secret was made. */
  readonly show: (secret: string | null) => void;
  readonly forget: (id: string) => void;
}

export function useSecret(listed: readonly { readonly id: string }[]): ShownSecret {
  const [made, setMade] = useState<{ readonly secret: string; readonly older: ReadonlySet<string> } | null>(
    null,
  );
  return {
    secret: made?.secret ?? null,
    show: (secret) =>
      setMade(secret === null ? null : { secret, older: new Set(listed.map(({ id }) => id)) }),
    forget: (id) => setMade((now) => (now === null || now.older.has(id) ? now : null)),
  };
}
