import { Field } from '@base-ui/react/field';
import type { ComponentProps } from 'react';
import styles from './filter.module.css';

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  type?: 'text' | 'date' | 'month';
  inputMode?: ComponentProps<'input'>['inputMode'];
};

/** A filter above a table that takes a text, an amount or a day. Its label stays visible. */
export function FilterText({ label, value, onChange, type = 'text', inputMode }: Props) {
  return (
    <Field.Root className={styles.filter}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <Field.Control
        type={type}
        inputMode={inputMode}
        value={value}
        onValueChange={(next) => onChange(String(next))}
        className={`${styles.input} ${type === 'text' ? styles.short : ''}`}
      />
    </Field.Root>
  );
}
