import { Button } from '../button/button.tsx';
import styles from './error-state.module.css';

type Props = {
  title: string;
  message: string;
  requestId?: string;
  requestIdLabel: string;
  retryLabel: string;
  onRetry: () => void;
};

/** Stands where something could not be loaded, with the id to ask about and a way to try again. */
export function ErrorState({ title, message, requestId, requestIdLabel, retryLabel, onRetry }: Props) {
  return (
    <div className={styles.error} role="alert">
      <p className={styles.title}>{title}</p>
      <p>{message}</p>
      {requestId === undefined ? null : (
        <p className={styles.id}>
          {requestIdLabel}: <code>{requestId}</code>
        </p>
      )}
      <Button onClick={onRetry}>{retryLabel}</Button>
    </div>
  );
}
