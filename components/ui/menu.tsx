import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** A menu whose panel ends where its button ends. */
export function Menu({
  icon: Icon,
  label,
  name,
  title = name,
  look,
  className = "",
  children,
}: {
  icon: LucideIcon;
  label?: ReactNode;
  /** For assistive technology; by default the label. */
  name?: string;
  title?: string | undefined;
  /** Classes of the button. */
  look?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <details className={`facet facet-end ${className}`} data-menu="">
      <summary className={look} aria-label={label === undefined ? undefined : name} title={title}>
        <Icon size={label === undefined ? 16 : 14} aria-hidden />
        {label ?? <span className="screen-reader">{name}</span>}
      </summary>
      <div className="facet-panel">{children}</div>
    </details>
  );
}
