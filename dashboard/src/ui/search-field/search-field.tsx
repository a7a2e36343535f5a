import { Field } from '@base-ui/react/field';
import { Search } from 'lucide-react';
import { Kbd } from '../kbd/kbd.tsx';
import styles from './search-field.module.css';

type Props = { label: string; value: string; onChange: (value: string) => void; shortcut?: string };

/** The search of a list. Its label is its placeholder as well. */
export function SearchField({ label, value, onChange, shortcut }: Props) {
  return (
    <Field.Root className={styles.field}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <Search aria-hidden="true" className={styles.icon} />
      <Field.Control
        type="search"
        value={value}
        placeholder={label}
        onValueChange={(next) => onChange(String(next))}
        className={styles.input}
      />
      {shortcut === undefined || value !== '' ? null : <Kbd>{shortcut}</Kbd>}
    </Field.Root>
  );
}
