import type { ComponentProps } from "react";

/**
 * Text with its own line breaks. Whoever reads HTML drops a line break that follows `<pre>` at once, and what React then finds is not
 * what the server drew; behind the start of another element it stays.
 */
export function Preformatted({ children, ...rest }: ComponentProps<"pre">) {
  return (
    <pre {...rest}>
      <span>{children}</span>
    </pre>
  );
}
