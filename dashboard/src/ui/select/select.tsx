import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { Field, type FieldProps } from '../field/field.tsx';
import styles from './select.module.css';

export type Option = { value: string; label: string };

type Props = FieldProps & {
  options: readonly Option[];
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
  placeholder?: string;
  disabled?: boolean;
  required?: boolean;
};

/** One of a few options. */
export function Select({ label, name, description, error, isLabelHidden, ...rest }: Props) {
  return (
    <Field {...{ label, name, description, error, isLabelHidden }}>
      <SelectBox {...rest} />
    </Field>
  );
}

type BoxProps = Omit<Props, keyof FieldProps> & { className?: string };

/** The box of a select, without a label of its own. */
export function SelectBox({
  options,
  value,
  defaultValue,
  onChange,
  placeholder,
  disabled,
  required,
  className,
}: BoxProps) {
  return (
    <Base.Root
      items={options}
      value={value}
      defaultValue={defaultValue}
      onValueChange={(next) => onChange?.(String(next))}
      disabled={disabled}
      required={required}
    >
      <Base.Trigger className={className ?? styles.trigger}>
        <Base.Value placeholder={placeholder} className={styles.value} />
        <Base.Icon className={styles.icon}>
          <ChevronDown aria-hidden="true" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={styles.positioner} alignItemWithTrigger={false} sideOffset={4}>
          <Base.Popup className={styles.popup}>
            <Base.List>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className={styles.item}>
                  <Base.ItemText>{option.label}</Base.ItemText>
                  <Base.ItemIndicator className={styles.indicator}>
                    <Check aria-hidden="true" />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
