import styles from './separator.module.css';

/** A thin line between two parts. */
export function Separator() {
  return <hr className={styles.separator} />;
}
