import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { buttonClass } from '../button/button.tsx';
import styles from './dialog.module.css';
import { initialFocus } from './initial-focus.ts';

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
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Base.Portal>
        {/* Above another dialog too. */}
        <Base.Backdrop className={styles.backdrop} forceRender />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            ref={popup}
            initialFocus={(openedBy) => initialFocus(popup.current, openedBy)}
            className={`${styles.popup} ${styles[size]}`}
          >
            <div className={styles.head}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              <Base.Close aria-label={closeLabel} className={`${buttonClass({ variant: 'quiet' })} ${styles.close}`}>
                <X aria-hidden="true" />
              </Base.Close>
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
