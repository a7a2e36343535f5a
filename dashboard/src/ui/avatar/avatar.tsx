import styles from './avatar.module.css';

/** The initials of a person or company. No picture of another host is loaded. */
export function Avatar({ name }: { name: string }) {
  const words = name.split(/[\s@.]+/).filter((word) => word !== '');
  const initials = words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('');
  return (
    <span className={styles.avatar} aria-hidden="true">
      {initials.toUpperCase()}
    </span>
  );
}
