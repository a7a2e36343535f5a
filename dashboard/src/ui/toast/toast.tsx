import { Toast as Base } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from '../button/button.tsx';
import styles from './toast.module.css';

export type ToastTone = 'success' | 'danger' | 'neutral';

/** Around an app: what `useToast` adds appears at the bottom, and is read to whoever can't see it. */
export function ToastProvider({ closeLabel = 'Close', children }: { closeLabel?: string; children: ReactNode }) {
  return (
    <Base.Provider>
      {children}
      <Base.Portal>
        <Base.Viewport className={styles.viewport}>
          <Toasts closeLabel={closeLabel} />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function Toasts({ closeLabel }: { closeLabel: string }) {
  const { toasts } = Base.useToastManager();
  return toasts.map((toast) => {
    const Icon = toast.type === 'danger' ? CircleAlert : toast.type === 'neutral' ? Info : CircleCheck;
    return (
      <Base.Root key={toast.id} toast={toast} className={styles.toast} data-tone={toast.type}>
        <Base.Content className={styles.content}>
          <Icon aria-hidden="true" className={styles.icon} />
          <div className={styles.text}>
            <Base.Title className={styles.title} />
            <Base.Description className={styles.description} />
            {toast.actionProps === undefined ? null : <Base.Action className={buttonClass({ size: 'small' })} />}
          </div>
          <Base.Close className={styles.close} aria-label={closeLabel}>
            <X aria-hidden="true" />
          </Base.Close>
        </Base.Content>
      </Base.Root>
    );
  });
}

type ToastOptions = {
  title: string;
  description?: ReactNode;
  tone?: ToastTone;
  action?: { label: string; onSelect: () => void };
};

/** Returns how a short message about what has happened is shown. */
export function useToast() {
  const { add } = Base.useToastManager();
  return {
    add: ({ title, description, tone = 'success', action }: ToastOptions) =>
      add({
        title,
        description,
        type: tone,
        actionProps: action === undefined ? undefined : { children: action.label, onClick: action.onSelect },
        timeout: tone === 'danger' ? 12_000 : 6_000,
      }),
  };
}
