// Sheets of which one is shown. Arrow keys move between the tabs.
import type { ComponentChildren, JSX } from "preact";

export interface Tab {
  name: string;
  title: string;
  content: () => ComponentChildren;
}

export interface TabsProps {
  tabs: readonly Tab[];
  shown: string;
  onShow: (name: string) => void;
}

export function Tabs({ tabs, shown, onShow }: TabsProps): JSX.Element {
  const index = Math.max(0, tabs.findIndex((tab) => tab.name === shown));
  const current = tabs[index];
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (next) onShow(next.name);
    const row = (event.currentTarget as HTMLElement).children;
    (row[(index + step + tabs.length) % tabs.length] as HTMLElement | undefined)?.focus();
  };
  return (
    <section class="tabs">
      <div role="tablist" onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            aria-selected={tab === current}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => onShow(tab.name)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={current?.title} class="sheet">
        {current?.content()}
      </div>
    </section>
  );
}
