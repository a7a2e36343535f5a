import type { Label } from '@paydesk/client';
import { readableOn } from '../../ui/color-field/contrast.ts';
import styles from './labels.module.css';

/** A label as it looks where it is used. */
export function LabelTag({ label: { name, color } }: { label: Pick<Label, 'name' | 'color'> }) {
  const readable = readableOn(color);
  return (
    <span
      className={styles.tag}
      style={readable === null ? undefined : { backgroundColor: color, color: readable.text }}
    >
      {name}
    </span>
  );
}
