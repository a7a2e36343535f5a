import { Field as Base } from '@base-ui/react/field';
import styles from '../field/field.module.css';
import { Field, type FieldProps } from '../field/field.tsx';

type Props = FieldProps & {
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
  placeholder?: string;
  rows?: number;
  maxLength?: number;
  required?: boolean;
  readOnly?: boolean;
  disabled?: boolean;
};

/** Several lines of text. */
export function TextArea({
  label,
  name,
  description,
  error,
  isLabelHidden,
  onChange,
  rows = 3,
  maxLength,
  ...control
}: Props) {
  return (
    <Field {...{ label, name, description, error, isLabelHidden }}>
      <div className={styles.box}>
        <Base.Control
          {...control}
          className={styles.input}
          render={<textarea rows={rows} maxLength={maxLength} />}
          onValueChange={(value) => onChange?.(String(value))}
        />
      </div>
    </Field>
  );
}
