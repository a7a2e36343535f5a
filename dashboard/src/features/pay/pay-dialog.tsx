import type { InvoiceWithAttempts } from '@paydesk/client';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { useFormat } from '../../format/format.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './pay.module.css';
import { PayForm } from './pay-form.tsx';
import { usePayText } from './text.ts';
import type { Pay } from './use-pay.ts';

export type PayProps = {
  invoice: InvoiceWithAttempts;
  /** What is due, as it was when the dialog was opened. */
  due: string;
  pay: Pay;
  onClose: () => void;
};

/** Pays an invoice: which, how much, with what, and the outcome. */
export function PayDialog(props: PayProps) {
  const t = usePayText();
  const { invoice, pay, onClose } = props;
  const close = () => {
    if (pay.state.step !== 'paying' && pay.state.step !== 'findingOut') pay.reset();
    onClose();
  };
  return (
    <Dialog open onClose={close} title={t('title', { number: invoice.number })} closeLabel={t('close')} size="medium">
      <Suspense fallback={<Skeleton lines={4} />}>
        <Step {...props} onClose={close} />
      </Suspense>
    </Dialog>
  );
}

function Step(props: PayProps) {
  const t = usePayText();
  const format = useFormat();
  const { invoice, due, pay, onClose } = props;
  const amount = format.money(due, invoice.currency);
  const close = (label: string) => (
    <Button variant="primary" onClick={onClose}>
      {label}
    </Button>
  );
  switch (pay.state.step) {
    case 'paid':
      return (
        <OutcomeText
          icon={<CircleCheck aria-hidden="true" />}
          title={t('paid.title', { amount })}
          action={close(t('done'))}
        >
          {t('paid.text', { number: invoice.number })}
        </OutcomeText>
      );
    case 'findingOut':
      return (
        <OutcomeText
          icon={
            <span className={styles.turning}>
              <LoaderCircle aria-hidden="true" />
            </span>
          }
          title={t('findingOut.title')}
          action={close(t('close'))}
        >
          {t('findingOut.text', { amount })}
        </OutcomeText>
      );
    case 'review':
      return (
        <OutcomeText title={t('review.title')} action={close(t('close'))}>
          {t('review.text')}
        </OutcomeText>
      );
    default:
      return <PayForm {...props} />;
  }
}

type OutcomeProps = { icon?: ReactNode; title: string; action: ReactNode; children: ReactNode };

function OutcomeText({ icon, title, action, children }: OutcomeProps) {
  return (
    <div className={styles.outcome} role="status">
      {icon}
      <p className={styles.outcomeTitle}>{title}</p>
      <p className={styles.muted}>{children}</p>
      {action}
    </div>
  );
}
