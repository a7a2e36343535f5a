import { CopyButton } from '../copy-button/copy-button.tsx';
import styles from './secret.module.css';

type Props = { label: string; text: string; description?: string; copyLabel: string; copiedLabel: string };

/** A secret that is shown once: an API key, a signing secret, a recovery code. */
export function Secret({ label, text, description, copyLabel, copiedLabel }: Props) {
  return (
    <div className={styles.secret}>
      <p className={styles.label}>{label}</p>
      <div className={styles.box}>
        <code className={styles.text}>{text}</code>
        <CopyButton text={text} label={copyLabel} copiedLabel={copiedLabel} />
      </div>
      {description === undefined ? null : <p className={styles.description}>{description}</p>}
    </div>
  );
}
