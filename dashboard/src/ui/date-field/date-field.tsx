import { TextField, type TextFieldProps } from '../text-field/text-field.tsx';

type Props = Omit<TextFieldProps, 'type' | 'prefix' | 'suffix' | 'inputMode' | 'placeholder'>;

/** A calendar day as `2026-03-31`, in the browser's own field, which knows the reader's order of day and month. */
export function DateField(props: Props) {
  return <TextField {...props} type="date" />;
}
