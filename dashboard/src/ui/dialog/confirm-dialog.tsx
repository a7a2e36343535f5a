import { type ReactNode, useState } from 'react';
import { Banner } from '../banner/banner.tsx';
import { Button } from '../button/button.tsx';
import { TextField } from '../text-field/text-field.tsx';
import styles from './dialog.module.css';
import { Dialog, type DialogProps } from './dialog.tsx';

type Props = Pick<DialogProps, 'open' | 'onClose' | 'title' | 'size' | 'closeLabel'> & {
  /** What the action will do, in words and figures. */
  children: ReactNode;
  /** Repeats the verb of the title. */
  confirmLabel: string;
  cancelLabel: string;
  pending: boolean;
  tone?: 'primary' | 'danger';
  /** What has to be typed before an action that can't be undone: the name of the record. */
  typeToConfirm?: { label: string; text: string };
  onConfirm: () => void;
  error?: ReactNode;
};

/** Asks before an action. */
export function ConfirmDialog(props: Props) {
  const {
    open,
    onClose,
    title,
    size,
    closeLabel,
    children,
    confirmLabel,
    cancelLabel,
    pending,
    tone = 'primary',
  } = props;
  const { typeToConfirm, onConfirm, error } = props;
  const [typed, setTyped] = useState('');
  const isTyped = typeToConfirm === undefined || typed.trim() === typeToConfirm.text;
  return (
    <Dialog
      {...{ open, onClose, title, size, closeLabel }}
      footer={
        <>
          <Button onClick={onClose}>{cancelLabel}</Button>
          <Button variant={tone} pending={pending} disabled={!isTyped} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        {children}
        {typeToConfirm === undefined ? null : (
          <TextField
            label={typeToConfirm.label}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        <div role="alert">{error === undefined ? null : <Banner tone="danger">{error}</Banner>}</div>
      </div>
    </Dialog>
  );
}
