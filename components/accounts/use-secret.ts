"use client";

import { useState } from "react";

/** A secret that is shown once, while what it opens is in use. */
interface ShownSecret {
  /** Null when there is none to show. */
  readonly secret: string | null;
  /** Called with the list from before it was made. */
  readonly show: (secret: string | null) => void;
  /** Told what was revoked: a secret that opens nothing any more is not worth copying. */
  readonly forget: (id: string) => void;
}

/** @param listed - what was made before, and is in use: the secret belongs to one that is not among it */
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
