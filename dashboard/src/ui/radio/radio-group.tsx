import { type ReactNode, useId } from 'react';
import styles from './radio-group.module.css';

export type RadioOption = {
  value: string;
  label: ReactNode;
  description?: ReactNode;
  /** Stands at the end of the option: a badge, an amount. */
  aside?: ReactNode;
  isDisabled?: boolean;
};

type Props = {
  legend: string;
  options: readonly RadioOption[];
  value: string;
  onChange: (value: string) => void;
};

/** One of a few options, all of them in view. */
export function RadioGroup({ legend, options, value, onChange }: Props) {
  const name = useId();
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.options}>
        {options.map(({ value: own, label, description, aside, isDisabled }) => (
          <label key={own} className={styles.option} data-disabled={isDisabled || undefined}>
            <input
              type="radio"
              name={name}
              value={own}
              checked={own === value}
              disabled={isDisabled}
              className={styles.radio}
              onChange={() => onChange(own)}
            />
            <span className={styles.words}>
              <span>{label}</span>
              {description === undefined ? null : <span className={styles.description}>{description}</span>}
            </span>
            {aside}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
