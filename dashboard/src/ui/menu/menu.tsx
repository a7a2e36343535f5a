import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import styles from './menu.module.css';

export type MenuItem =
  | { label: string; icon?: ReactNode; onSelect: () => void; tone?: 'danger'; disabledReason?: string }
  | 'separator';

/** Actions that open from a button. */
export function Menu({ trigger, items }: { trigger: ReactElement; items: readonly MenuItem[] }) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={4} align="end">
          <Base.Popup className={styles.popup}>
            {items.map((item, index) =>
              item === 'separator' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: separators have no name and keep their place.
                <Base.Separator key={index} className={styles.separator} />
              ) : (
                <Base.Item
                  key={item.label}
                  className={styles.item}
                  data-tone={item.tone}
                  disabled={item.disabledReason !== undefined}
                  onClick={item.onSelect}
                >
                  {item.icon}
                  <span>
                    {item.label}
                    {item.disabledReason === undefined ? null : (
                      <span className={styles.reason}>{item.disabledReason}</span>
                    )}
                  </span>
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
