import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMay } from '../../api/may.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { Menu, type MenuItem } from '../../ui/menu/menu.tsx';
import { useHistoryItem } from '../audit-log/history.tsx';
import type { HistoryOf } from '../audit-log/record-history.tsx';
import styles from './payment-methods.module.css';

type Props = {
  icon: ReactNode;
  name: ReactNode;
  detail: ReactNode;
  /** The name of the button with the actions. */
  actionsLabel: string;
  actions: readonly MenuItem[];
  history: HistoryOf;
};

/** One card, account or address, with what can be done with it. */
export function MethodRow({ icon, name, detail, actionsLabel, actions, history }: Props) {
  const may = useMay();
  const { items, panel } = useHistoryItem(history);
  const all = [...items, ...(may('platform.billing.all') ? actions : [])];
  return (
    <li className={styles.row}>
      <span className={styles.mark} aria-hidden="true">
        {icon}
      </span>
      <div className={styles.words}>
        <p className={styles.name}>{name}</p>
        <p className={styles.detail}>{detail}</p>
      </div>
      {all.length === 0 ? null : (
        <Menu trigger={<IconButton label={actionsLabel} icon={<Ellipsis aria-hidden="true" />} />} items={all} />
      )}
      {panel}
    </li>
  );
}
