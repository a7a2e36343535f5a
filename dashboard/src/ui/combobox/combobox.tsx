import { Combobox as Base } from '@base-ui/react/combobox';
import { ChevronDown } from 'lucide-react';
import fieldStyles from '../field/field.module.css';
import { Field, type FieldProps } from '../field/field.tsx';
import type { Option } from '../select/select.tsx';
import styles from './combobox.module.css';
import { ComboboxList } from './combobox-list.tsx';

type Props = FieldProps & {
  options: readonly Option[];
  value?: string;
  onChange: (value: string) => void;
  /** Gets what is typed, for options that are found elsewhere; without it, the given options are searched. */
  onSearch?: (text: string) => void;
  placeholder?: string;
  /** Stands in the list when nothing in it matches. */
  emptyLabel: string;
  /** The name of the button that opens the list. */
  openLabel: string;
  disabled?: boolean;
  required?: boolean;
};

/** One of many options, found by typing. */
export function Combobox(props: Props) {
  const { label, name, description, error, isLabelHidden, options, value, onChange, onSearch, placeholder, ...rest } =
    props;
  const { emptyLabel, openLabel, disabled, required } = rest;
  return (
    <Field {...{ label, name, description, error, isLabelHidden }}>
      <Base.Root
        items={options}
        value={options.find((option) => option.value === value) ?? null}
        onValueChange={(option) => onChange(option?.value ?? '')}
        {...(onSearch === undefined ? {} : { filter: null, onInputValueChange: onSearch })}
        isItemEqualToValue={(item, other) => item.value === other.value}
        disabled={disabled}
        required={required}
        autoHighlight
      >
        <Base.InputGroup className={fieldStyles.box}>
          <Base.Input className={fieldStyles.input} placeholder={placeholder} />
          <Base.Trigger className={styles.open} aria-label={openLabel}>
            <ChevronDown aria-hidden="true" />
          </Base.Trigger>
        </Base.InputGroup>
        <ComboboxList emptyLabel={emptyLabel} />
      </Base.Root>
    </Field>
  );
}
