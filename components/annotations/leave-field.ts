import { isTyping } from "@/components/shell/commands";

export const ONWARD = "[data-command='review.saveNext']";

/** Returns a function that focuses the save button if the field is unchanged, so that single keys are commands again. */
export function rememberField(): () => void {
  const field = document.activeElement;
  if (!isTyping(field) || !("value" in field)) return () => undefined;
  const text = field.value;
  return () => {
    const next = field.closest("form")?.querySelector<HTMLElement>(ONWARD);
    if (document.activeElement === field && field.value === text) next?.focus();
  };
}
