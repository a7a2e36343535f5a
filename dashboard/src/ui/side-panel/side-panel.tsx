import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { buttonClass } from '../button/button.tsx';
import dialogStyles from '../dialog/dialog.module.css';
import type { DialogProps } from '../dialog/dialog.tsx';
import { initialFocus } from '../dialog/initial-focus.ts';
import styles from './side-panel.module.css';

/** A dialog at the end of the page, as high as the window: for a form or a record that needs room. */
export function SidePanel({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  closeLabel = 'Close',
  size = 'medium',
}: Omit<DialogProps, 'size'> & { size?: 'medium' | 'large' }) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className={dialogStyles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            ref={popup}
            initialFocus={(openedBy) => initialFocus(popup.current, openedBy)}
            className={`${styles.panel} ${styles[size]}`}
          >
            <div className={dialogStyles.head}>
              <Base.Title className={dialogStyles.title}>{title}</Base.Title>
              <Base.Close
                aria-label={closeLabel}
                className={`${buttonClass({ variant: 'quiet' })} ${dialogStyles.close}`}
              >
                <X aria-hidden="true" />
              </Base.Close>
            </div>
            {description === undefined ? null : (
              <Base.Description className={dialogStyles.description}>{description}</Base.Description>
            )}
            <div className={`${dialogStyles.body} ${styles.body}`}>{children}</div>
            {footer === undefined ? null : <div className={`${dialogStyles.footer} ${styles.footer}`}>{footer}</div>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
