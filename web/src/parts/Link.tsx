// A link inside the page: an ordinary address, but without loading the page anew.
import type { ComponentChildren, JSX } from "preact";
import { format, go, type Route } from "../router";

export interface LinkProps {
  to: Route;
  children: ComponentChildren;
  class?: string;
  title?: string;
  current?: boolean;
}

export function Link({ to, children, class: name, title, current }: LinkProps): JSX.Element {
  return (
    <a
      href={format(to)}
      class={name}
      title={title}
      aria-current={current ? "page" : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
