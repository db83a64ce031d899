import { useActionState } from "react";

import { readReviewer } from "@/components/annotations/draft-storage";
import { Button } from "@/components/ui/button";
import { withoutBasePath } from "@/lib/core/domain/base-path";
import { saveViewAction, type ViewResult } from "@/lib/pages/views/actions";

/** Selects the suggested title, so that typing replaces it. */
function focusAll(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}

export function PaletteSave({ onSaved }: { onSaved: () => void }) {
  const [result, save, isSaving] = useActionState(
    async (_: ViewResult | null, form: FormData): Promise<ViewResult> => {
      const name = form.get("name");
      const { reviewerId } = readReviewer();
      try {
        const saved = await saveViewAction({
          name: typeof name === "string" ? name : "",
          href: withoutBasePath(location.pathname) + location.search,
          createdBy: reviewerId === "" ? null : reviewerId,
        });
        if (saved.status === "done") onSaved();
        return saved;
      } catch (error) {
        if (error instanceof Error)
          return { status: "failed", message: "Assay is not responding. Nothing was saved." };
        throw error;
      }
    },
    null,
  );
  const failure = result?.status === "failed" ? result.message : null;
  return (
    <form action={save} className="palette-save">
      <label htmlFor="palette-view-name">Name of this view</label>
      <input
        id="palette-view-name"
        className="input"
        name="name"
        maxLength={80}
        required
        autoComplete="off"
        defaultValue={document.title.replace(/ · Assay$/, "")}
        ref={focusAll}
        aria-describedby={failure === null ? undefined : "palette-save-failure"}
      />
      <Button type="submit" look="main" disabled={isSaving}>
        Save
      </Button>
      <p id="palette-save-failure" role="alert">
        {failure}
      </p>
    </form>
  );
}
