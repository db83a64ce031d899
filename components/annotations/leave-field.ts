import { isTyping } from "@/components/shell/commands";

/** The button of a form that saves and goes on. */
export const ONWARD = "[data-command='review.saveNext']";

/**
 * Remembers the field that is typed into.
 *
 * @returns what gives its focus to the button that goes on, unless somebody typed on or went elsewhere: once a text is saved, single keys are
 *   commands again, and `u` undoes instead of being typed
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
