import { Combobox as Base } from '@base-ui/react/combobox';
import { Field } from '@base-ui/react/field';
import { Check } from 'lucide-react';
import comboboxStyles from '../combobox/combobox.module.css';
import styles from '../filter-text/filter.module.css';
import selectStyles from '../select/select.module.css';
import type { Option } from '../select/select.tsx';

type Props = {
  label: string;
  options: readonly Option[];
  /** What is chosen; null for all. */
  value: Option | null;
  onChange: (value: string) => void;
  onSearch: (text: string) => void;
  placeholder: string;
  emptyLabel: string;
};

/** A filter above a table that chooses one of many, found by typing. Its label stays visible. */
export function FilterCombobox({ label, options, value, onChange, onSearch, placeholder, emptyLabel }: Props) {
  return (
    <Field.Root className={styles.filter}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <Base.Root
        items={options}
        value={value}
        filter={null}
        onInputValueChange={onSearch}
        onValueChange={(option) => onChange(option?.value ?? '')}
        isItemEqualToValue={(item, other) => item.value === other.value}
        autoHighlight
      >
        <Base.Input className={styles.input} placeholder={placeholder} />
        <Base.Portal>
          <Base.Positioner className={selectStyles.positioner} sideOffset={4} align="start">
            <Base.Popup className={selectStyles.popup}>
              <Base.Empty>
                <div className={comboboxStyles.empty}>{emptyLabel}</div>
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
      </Base.Root>
    </Field.Root>
  );
}
