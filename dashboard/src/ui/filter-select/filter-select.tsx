import { Field } from '@base-ui/react/field';
import styles from '../filter-text/filter.module.css';
import { type Option, SelectBox } from '../select/select.tsx';

type Props = { label: string; options: readonly Option[]; value: string; onChange: (value: string) => void };

/** A filter above a table that chooses one of a few values. Its label stays visible. */
export function FilterSelect({ label, options, value, onChange }: Props) {
  return (
    <Field.Root className={styles.filter}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <SelectBox options={options} value={value} onChange={onChange} className={styles.trigger} />
    </Field.Root>
  );
}
