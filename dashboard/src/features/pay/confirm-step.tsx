import type { PaymentAttempt } from '@paydesk/client';
import { isPaydeskError } from '@paydesk/client';
import { ShieldCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { paydesk } from '../../api/session.ts';
import { askBank as askBankAtStripe, loadStripe } from '../../api/stripe.ts';
import { useFormat } from '../../format/format.ts';
import { Instant } from '../../format/values.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { useBankQuestion } from '../bank-question/use-bank-question.tsx';
import styles from './pay.module.css';
import type { PayProps } from './pay-dialog.tsx';
import { usePayText } from './text.ts';

export type NextAction = NonNullable<PaymentAttempt['nextAction']>;

type Props = PayProps & { action: NextAction; onOther: () => void };

/** Lets the holder confirm the payment with the bank, or pay with another card. */
export function ConfirmStep({ invoice, pay, due, action, onOther, onClose }: Props) {
  const t = usePayText();
  const amount = useFormat().money(due, invoice.currency);
  const { askBank, question } = useBank(amount);
  const { submit, isPending, message } = useSubmit(askBank, {
    onDone: (answer) => {
      if (answer !== null) pay.answered(answer);
    },
  });
  const isWaiting = invoice.payment?.status === 'RequiresAction';
  // The page may still have the invoice as it was before the payment.
  const wasWaiting = useRef(false);
  // Confirmed, or ended, on another device meanwhile.
  useEffect(() => {
    if (wasWaiting.current && !isWaiting) pay.answered('unknown');
    wasWaiting.current = isWaiting;
  }, [isWaiting, pay]);
  return (
    <div className={styles.outcome}>
      <ShieldCheck aria-hidden="true" />
      <p className={styles.outcomeTitle}>{t('confirm.title')}</p>
      <p className={styles.muted}>{t('confirm.text', { amount })}</p>
      <p className={styles.muted}>
        {t('confirm.until')} <Instant value={action.expiresAt} />
      </p>
      <div role="alert">{message === undefined ? null : <Banner tone="danger">{message}</Banner>}</div>
      <div className={styles.actions}>
        {action.clientSecret === undefined ? (
          <a href={action.url} target="_blank" rel="noopener" className={buttonClass({ variant: 'primary' })}>
            {t('confirm.action')}
          </a>
        ) : (
          <Button variant="primary" pending={isPending} onClick={() => void submit(action)}>
            {t('confirm.action')}
          </Button>
        )}
        <Button onClick={onOther}>{t('addCard')}</Button>
        <Button variant="quiet" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
      {question}
    </div>
  );
}

/** Asks the bank in the gateway's script, or in the sandbox's dialog; null when there was no answer. */
function useBank(amount: string) {
  const t = usePayText();
  const { ask, question } = useBankQuestion();
  const askBank = async ({ gateway, clientSecret = '', publishableKey = '' }: NextAction) => {
    if (gateway === 'stripe') {
      const { error } = await askBankAtStripe(await loadStripe(publishableKey), clientSecret);
      return error === undefined ? 'confirmed' : 'unknown';
    }
    const outcome = await ask(t('confirm.question', { amount }));
    if (outcome === null) return null;
    try {
      const { status } = await paydesk().sandbox.answerChallenge({ clientSecret, outcome });
      return status === 'succeeded' ? 'confirmed' : 'unknown';
    } catch (error) {
      // Answered before, perhaps on another device.
      if (isPaydeskError(error, 'nothing_to_confirm')) return 'unknown';
      throw error;
    }
  };
  return { askBank, question };
}
