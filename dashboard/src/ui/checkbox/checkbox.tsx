import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Check, Minus } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import styles from './checkbox.module.css';

type Props = {
  label: ReactNode;
  /** Hides the label from the eye, such as in the cells of a grid. */
  isLabelHidden?: boolean;
  description?: ReactNode;
  name?: string;
  checked?: boolean;
  defaultChecked?: boolean;
  /** Some of what it stands for is chosen. */
  indeterminate?: boolean;
  onChange?: (checked: boolean) => void;
  disabled?: boolean;
  required?: boolean;
};

export function Checkbox({ label, isLabelHidden, description, onChange, ...rest }: Props) {
  const id = useId();
  return (
    <div className={styles.field}>
      <Base.Root
        {...rest}
        className={styles.box}
        aria-labelledby={`${id}-label`}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        id={id}
        onCheckedChange={(checked) => onChange?.(checked)}
      >
        <Base.Indicator className={styles.indicator}>
          {rest.indeterminate ? (
            <Minus aria-hidden="true" strokeWidth={3} />
          ) : (
            <Check aria-hidden="true" strokeWidth={3} />
          )}
        </Base.Indicator>
      </Base.Root>
      <div className={isLabelHidden ? styles.hidden : undefined}>
        <label id={`${id}-label`} htmlFor={id} className={styles.label}>
          {label}
        </label>
        {description === undefined ? null : (
          <p id={`${id}-description`} className={styles.description}>
            {description}
          </p>
        )}
      </div>
    </div>
  );
}
