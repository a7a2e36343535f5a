import styles from './spinner.module.css';

/** Turns while something runs. Without a label, the text beside it says what. */
export function Spinner({ label }: { label?: string }) {
  return label === undefined ? (
    <span className={styles.spinner} aria-hidden="true" />
  ) : (
    <span className={styles.spinner} role="img" aria-label={label} />
  );
}
