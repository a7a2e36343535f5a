import { Progress as Base } from '@base-ui/react/progress';
import type { ReactNode } from 'react';
import styles from './progress.module.css';

/** How far long work is. @param value - null while that is not known */
export function Progress({
  label,
  value,
  max,
  detail,
}: {
  label: string;
  value: number | null;
  max: number;
  detail?: ReactNode;
}) {
  return (
    <Base.Root value={value} max={max} className={styles.progress}>
      <div className={styles.words}>
        <Base.Label className={styles.label}>{label}</Base.Label>
        {detail === undefined ? null : <span className={styles.detail}>{detail}</span>}
      </div>
      <Base.Track className={styles.track}>
        <Base.Indicator className={styles.indicator} />
      </Base.Track>
    </Base.Root>
  );
}
