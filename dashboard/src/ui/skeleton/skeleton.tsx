import styles from './skeleton.module.css';

/** Stands for text that loads. */
export function Skeleton({ lines = 1, width }: { lines?: number; width?: string }) {
  return (
    <div className={styles.lines} aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <span key={line} className={styles.line} style={{ maxWidth: width }} />
      ))}
    </div>
  );
}
