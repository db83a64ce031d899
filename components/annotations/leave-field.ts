import { isTyping } from "@/components/shell/commands";

/**
 * Remembers the field that is typed into.
 *
 * @param onward - selector of the button of the field's form that goes on
 * @returns what gives its focus to that button, unless somebody typed on or went elsewhere: once a text is saved, single keys are
 *   commands again, and `u` undoes instead of being typed
 */
export function rememberField(onward: string): () => void {
  const field = document.activeElement;
  if (!isTyping(field) || !("value" in field)) return () => undefined;
  const text = field.value;
  return () => {
    const next = field.closest("form")?.querySelector<HTMLElement>(onward);
    if (document.activeElement === field && field.value === text) next?.focus();
  };
}
