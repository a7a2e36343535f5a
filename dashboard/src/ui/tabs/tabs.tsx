import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactElement, ReactNode } from 'react';
import styles from './tabs.module.css';

type Props = {
  tabs: readonly { id: string; label: string }[];
  value: string;
  onChange: (id: string) => void;
  children: ReactNode;
};

/** Parts of a page, of which one is shown. */
export function Tabs({ tabs, value, onChange, children }: Props) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(String(next))}>
      <Base.List className={styles.list}>
        {tabs.map(({ id, label }) => (
          <Base.Tab key={id} value={id} className={styles.tab}>
            {label}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} className={styles.panel}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}

/** Tabs that are pages of their own: the caller makes the links, of which the current has `aria-current="page"`. */
export function LinkTabs({ label, links }: { label: string; links: readonly ReactElement[] }) {
  return (
    <nav aria-label={label} className={`${styles.list} ${styles.links}`}>
      {links}
    </nav>
  );
}
