import { Combobox as Base } from '@base-ui/react/combobox';
import { Check } from 'lucide-react';
import selectStyles from '../select/select.module.css';
import type { Option } from '../select/select.tsx';
import styles from './combobox.module.css';

type Props = {
  /** Stands in the list when nothing in it matches. */
  emptyLabel: string;
  align?: 'start' | 'center';
};

/** The list that opens below a combobox, with what its root has found. */
export function ComboboxList({ emptyLabel, align = 'center' }: Props) {
  return (
    <Base.Portal>
      <Base.Positioner className={selectStyles.positioner} sideOffset={4} align={align}>
        <Base.Popup className={selectStyles.popup}>
          <Base.Empty>
            <div className={styles.empty}>{emptyLabel}</div>
          </Base.Empty>
          <Base.List>
            {(option: Option) => (
              <Base.Item key={option.value} value={option} className={selectStyles.item}>
                {option.label}
                <Base.ItemIndicator className={selectStyles.indicator}>
                  <Check aria-hidden="true" />
                </Base.ItemIndicator>
              </Base.Item>
            )}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}
