import type { InvoiceWithAttempts } from '@paydesk/client';
import { CalendarClock, CircleCheck, LoaderCircle } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useFormat } from '../../format/format.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { ConfirmStep, type NextAction } from './confirm-step.tsx';
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
  const [isOther, setIsOther] = useState(false);
  const amount = format.money(due, invoice.currency);
  const close = (label: string) => (
    <Button variant="primary" onClick={onClose}>
      {label}
    </Button>
  );
  const action = actionOf(props);
  const isPaying = pay.state.step === 'paying';
  useEffect(() => {
    if (isPaying) setIsOther(false);
  }, [isPaying]);
  if (action !== null && !isOther) return <ConfirmStep {...props} action={action} onOther={() => setIsOther(true)} />;
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
    case 'debited':
      return (
        <OutcomeText
          icon={<CalendarClock aria-hidden="true" />}
          title={t('debited.title', { amount })}
          action={close(t('done'))}
        >
          {t('debited.text')}
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

/** What the payment waits for: as it was answered just now, or as it stands when the dialog opens. */
function actionOf({ pay: { state }, invoice: { payment } }: PayProps): NextAction | null {
  if (state.step === 'confirm') return state.action;
  return state.step === 'idle' && payment?.status === 'RequiresAction' ? payment.nextAction : null;
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
