import { Switch as Base } from '@base-ui/react/switch';
import { type ReactNode, useId } from 'react';
import styles from './switch.module.css';

type Props = {
  label: string;
  description?: ReactNode;
  name?: string;
  checked?: boolean;
  defaultChecked?: boolean;
  onChange?: (checked: boolean) => void;
  disabled?: boolean;
};

/** Turns something on or off. */
export function Switch({ label, description, onChange, ...rest }: Props) {
  const id = useId();
  return (
    <div className={styles.field}>
      <div>
        <label htmlFor={id} id={`${id}-label`} className={styles.label}>
          {label}
        </label>
        {description === undefined ? null : <p className={styles.description}>{description}</p>}
      </div>
      <Base.Root
        {...rest}
        id={id}
        aria-labelledby={`${id}-label`}
        className={styles.track}
        onCheckedChange={(checked) => onChange?.(checked)}
      >
        <Base.Thumb className={styles.thumb} />
      </Base.Root>
    </div>
  );
}
