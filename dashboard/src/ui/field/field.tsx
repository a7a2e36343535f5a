import { Field as Base } from '@base-ui/react/field';
import type { ReactNode } from 'react';
import styles from './field.module.css';

export type FieldProps = {
  label: string;
  /** The name in the form, by which the form's errors find the field. */
  name?: string;
  description?: ReactNode;
  error?: string;
  /** Hides the label from the eye, where what stands around says it. */
  isLabelHidden?: boolean;
};

/** A control with its label, what it is for, and what is wrong with it. */
export function Field({
  label,
  name,
  description,
  error,
  isLabelHidden,
  children,
}: FieldProps & { children: ReactNode }) {
  return (
    <Base.Root name={name} invalid={error === undefined ? undefined : true} className={styles.field}>
      <Base.Label className={isLabelHidden ? styles.hidden : styles.label}>{label}</Base.Label>
      {children}
      {description === undefined ? null : (
        <Base.Description className={styles.description}>{description}</Base.Description>
      )}
      {error === undefined ? (
        <Base.Error className={styles.error} />
      ) : (
        <Base.Error className={styles.error} match>
          {error}
        </Base.Error>
      )}
    </Base.Root>
  );
}
