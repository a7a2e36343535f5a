import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '../button/icon-button.tsx';
import styles from './dialog.module.css';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  /** The name of the button that closes. */
  closeLabel?: string;
};

const FIELDS = 'input:not([type=hidden]):not([disabled]), textarea, [role=combobox]';

/**
 * A dialog above the page. Escape and a click beside it close it. The focus goes to its first field; without one, to the dialog itself, so
 * that its title is read, and the next Tab leads into it.
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  size = 'medium',
  closeLabel = 'Close',
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const firstField = () => popup.current?.querySelector<HTMLElement>(FIELDS) ?? popup.current;
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup ref={popup} initialFocus={firstField} className={`${styles.popup} ${styles[size]}`}>
            <div className={styles.head}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              <Base.Close render={<IconButton label={closeLabel} icon={<X aria-hidden="true" />} />} />
            </div>
            {description === undefined ? null : (
              <Base.Description className={styles.description}>{description}</Base.Description>
            )}
            <div className={styles.body}>{children}</div>
            {footer === undefined ? null : <div className={styles.footer}>{footer}</div>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
