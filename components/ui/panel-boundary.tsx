"use client";

import { Component, type ReactNode } from "react";

import { Notice } from "./notice";

interface Props {
  readonly what: string;
  readonly children: ReactNode;
}

/** Replaces a failed part with a note, so that the rest of the page stays. */
export class PanelBoundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <Notice tone="error" title={`${this.props.what} cannot be shown`}>
        The rest of the page still works.
      </Notice>
    );
  }
}
