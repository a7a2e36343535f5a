import { ChevronRight } from 'lucide-react';
import type { ReactElement } from 'react';
import styles from './breadcrumbs.module.css';

/** The pages above this one, as links that the caller makes. */
export function Breadcrumbs({ label, links }: { label: string; links: readonly ReactElement[] }) {
  return (
    <nav aria-label={label}>
      <ol className={styles.list}>
        {links.map((link, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a level keeps its place.
          <li key={index} className={styles.level}>
            {link}
            <ChevronRight aria-hidden="true" />
          </li>
        ))}
      </ol>
    </nav>
  );
}
