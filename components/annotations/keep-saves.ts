import { keepSave, readSave } from "./draft-storage";

interface Save {
  readonly saveId: string | null;
  readonly thenNext: boolean;
}

/** Sends saves with `action`. Each is kept until it is answered, so that `resend` can repeat it after the page was left. */
export function keepSaves<Request extends Save, Result>(
  draftKey: string,
  action: (request: Request) => Promise<Result>,
) {
  async function send({ thenNext, ...content }: Omit<Request, "saveId">): Promise<Result> {
    const text = JSON.stringify(content);
    const kept = readSave(draftKey);
    // Resending the same text after a lost answer is the same save.
    const { saveId } = kept?.text === text ? kept : { saveId: makeSaveId() };
    keepSave(draftKey, { text, saveId });
    const result = await action({ ...content, saveId, thenNext } as unknown as Request);
    keepSave(draftKey, null);
    return result;
  }
  return {
    send,
    /** Returns null if every save was answered. */
    resend: async (): Promise<Result | null> => {
      const kept = readSave(draftKey);
      // The server validates it.
      return kept && send({ ...(JSON.parse(kept.text) as Request), thenNext: false });
    },
  };
}

/** Returns null where the browser has no random UUIDs (a non-local, insecure origin); the store then makes one. */
function makeSaveId(): string | null {
  return "randomUUID" in crypto ? crypto.randomUUID() : null;
}
