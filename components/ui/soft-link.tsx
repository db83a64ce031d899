import type { ComponentProps } from "react";

import { Link, type NavigationMode } from "./link";

/** {@link Link} by its former name. */
export function SoftLink({
  way = "push",
  ...rest
}: Omit<ComponentProps<typeof Link>, "mode"> & { way?: NavigationMode }) {
  return <Link {...rest} mode={way} />;
}
