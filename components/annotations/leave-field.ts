import { isTyping } from "@/components/shell/commands";

/** The button of a form that saves and goes on. */
export const ONWARD = "[data-command='review.saveNext']";

/**
 * Remembers the field that is typed into.
 *
 * @returns a function that moves the focus to the save button if the field is unchanged and still focused. Single keys are then
 *   commands again.
 */
export function rememberField(): () => void {
  const field = document.activeElement;
  if (!isTyping(field) || !("value" in field)) return () => undefined;
  const text = field.value;
  return () => {
    const next = field.closest("form")?.querySelector<HTMLElement>(ONWARD);
    if (document.activeElement === field && field.value === text) next?.focus();
  };
}
