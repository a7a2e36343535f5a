import { Combobox as Base } from '@base-ui/react/combobox';
import { Field } from '@base-ui/react/field';
import { ComboboxList } from '../combobox/combobox-list.tsx';
import styles from '../filter-text/filter.module.css';
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
        <ComboboxList emptyLabel={emptyLabel} align="start" />
      </Base.Root>
    </Field.Root>
  );
}
