// A window over the page; Esc and a click beside it close it.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal?.();
  }, []);
  return (
    <dialog
      ref={element}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === element.current) element.current?.close();
      }}
    >
      <div class="dialog">
        <form method="dialog" class="dialog-head">
          <h2>{title}</h2>
          <button>Close</button>
        </form>
        {children}
      </div>
    </dialog>
  );
}
