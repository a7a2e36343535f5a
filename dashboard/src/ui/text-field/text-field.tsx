import { Field as Base } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';
import styles from '../field/field.module.css';
import { Field, type FieldProps } from '../field/field.tsx';

export type TextFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, 'onChange' | 'prefix' | 'className' | 'value' | 'defaultValue' | 'ref'> & {
    value?: string;
    defaultValue?: string;
    onChange?: (value: string) => void;
    prefix?: ReactNode;
    suffix?: ReactNode;
  };

/** One line of text. */
export function TextField({
  label,
  name,
  description,
  error,
  isLabelHidden,
  onChange,
  prefix,
  suffix,
  ...input
}: TextFieldProps) {
  return (
    <Field {...{ label, name, description, error, isLabelHidden }}>
      <div className={styles.box}>
        {prefix === undefined ? null : <span className={styles.affix}>{prefix}</span>}
        <Base.Control {...input} className={styles.input} onValueChange={(value) => onChange?.(String(value))} />
        {suffix}
      </div>
    </Field>
  );
}
