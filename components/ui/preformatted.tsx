import type { ComponentProps } from "react";

/** An HTML parser drops a line break right after `<pre>`, which would break hydration; after an inner element it stays. */
export function Preformatted({ children, ...rest }: ComponentProps<"pre">) {
  return (
    <pre {...rest}>
      <span>{children}</span>
    </pre>
  );
}
