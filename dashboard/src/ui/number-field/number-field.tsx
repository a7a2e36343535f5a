import { NumberField as Base } from '@base-ui/react/number-field';
import { Minus, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import fieldStyles from '../field/field.module.css';
import { Field, type FieldProps } from '../field/field.tsx';
import styles from './number-field.module.css';

type Props = FieldProps & {
  value?: number | null;
  defaultValue?: number;
  onChange?: (value: number | null) => void;
  min?: number;
  max?: number;
  step?: number;
  suffix?: ReactNode;
  /** The language of the digits' grouping, such as `de`; the browser's without it. */
  locale?: string;
  /** The names of the buttons. */
  decreaseLabel: string;
  increaseLabel: string;
  required?: boolean;
  disabled?: boolean;
};

/** A number in steps. An amount of money is a TextField: it stays a text, exact to its last digit. */
export function NumberField(props: Props) {
  const { label, name, description, error, isLabelHidden, onChange, suffix, decreaseLabel, increaseLabel, ...number } =
    props;
  return (
    <Field {...{ label, name, description, error, isLabelHidden }}>
      <Base.Root {...number} onValueChange={(value) => onChange?.(value)}>
        <Base.Group className={fieldStyles.box}>
          <Base.Input className={`${fieldStyles.input} ${styles.input}`} />
          {suffix === undefined ? null : <span className={fieldStyles.affix}>{suffix}</span>}
          <Base.Decrement className={styles.step} aria-label={decreaseLabel}>
            <Minus aria-hidden="true" />
          </Base.Decrement>
          <Base.Increment className={styles.step} aria-label={increaseLabel}>
            <Plus aria-hidden="true" />
          </Base.Increment>
        </Base.Group>
      </Base.Root>
    </Field>
  );
}
