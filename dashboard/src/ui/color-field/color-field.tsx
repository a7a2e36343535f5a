import { Check } from 'lucide-react';
import { useId } from 'react';
import { TextField, type TextFieldProps } from '../text-field/text-field.tsx';
import styles from './color-field.module.css';
import { readableOn } from './contrast.ts';

type Props = Pick<TextFieldProps, 'label' | 'name' | 'description' | 'error' | 'required'> & {
  /** The colour as `#4f46e5`. */
  value: string;
  onChange: (value: string) => void;
  /** Colours to take with one click, with their names. */
  swatches: readonly { value: string; label: string }[];
  /** The name of the group of swatches. */
  swatchesLabel: string;
  /** What stands on the colour in the preview. */
  previewText: string;
  /** Says how well the preview can be read, such as "Contrast 6.3:1". */
  contrastLabel: (ratio: number) => string;
};

/** A colour: some to choose from, any other by its digits, and a text on it with its contrast. */
export function ColorField({ value, onChange, swatches, swatchesLabel, previewText, contrastLabel, ...field }: Props) {
  const name = useId();
  const readable = readableOn(value);
  return (
    <div className={styles.field}>
      <TextField {...field} value={value} onChange={onChange} autoComplete="off" spellCheck={false} maxLength={7} />
      <fieldset className={styles.swatches} aria-label={swatchesLabel}>
        {swatches.map((swatch) => (
          <label key={swatch.value} className={styles.swatch} style={{ backgroundColor: swatch.value }}>
            <input
              type="radio"
              name={name}
              aria-label={swatch.label}
              className={styles.radio}
              checked={swatch.value.toLowerCase() === value.toLowerCase()}
              onChange={() => onChange(swatch.value)}
            />
            <Check aria-hidden="true" strokeWidth={3} style={{ color: readableOn(swatch.value)?.text }} />
          </label>
        ))}
      </fieldset>
      {readable === null ? null : (
        <p className={styles.preview}>
          <span className={styles.sample} style={{ backgroundColor: value, color: readable.text }}>
            {previewText}
          </span>
          <span className={styles.contrast}>{contrastLabel(readable.ratio)}</span>
        </p>
      )}
    </div>
  );
}
