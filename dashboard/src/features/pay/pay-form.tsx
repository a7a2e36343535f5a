import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { isPositive, smaller, subtract } from '../../format/amount.ts';
import { useFormat } from '../../format/format.ts';
import { useFailure } from '../../forms/use-submit.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { RadioGroup } from '../../ui/radio/radio-group.tsx';
import { declineOf } from './declines.ts';
import styles from './pay.module.css';
import type { PayProps } from './pay-dialog.tsx';
import { type Source, useSources } from './sources.ts';
import { usePayText } from './text.ts';

const CardForm = lazy(() =>
  import('../payment-methods/card-form.tsx').then(({ CardForm: form }) => ({ default: form })),
);

/** What is paid, and with which card; after a refusal, why, and the other cards. */
export function PayForm(props: PayProps) {
  const t = usePayText();
  const { invoice, due, pay, onClose } = props;
  const sources = useSources(invoice);
  const refused = invoice.payment?.cardId ?? null;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const wasRefused = pay.state.step === 'refused';
  const usable = sources.filter(({ isExpired }) => !isExpired);
  const chosen = usable.find(({ id }) => id === chosenId) ?? preferred(usable, wasRefused ? refused : null);
  const credit = useCredit(invoice.currency, due);
  const isPending = pay.state.step === 'paying';
  const isCovered = credit !== null && !isPositive(subtract(due, credit));
  if (invoice.method === 'Card' && !isCovered && (isAdding || usable.length === 0)) {
    return (
      <AddCard
        {...props}
        isFirst={sources.length === 0}
        onSaved={(id) => {
          setChosenId(id);
          setIsAdding(false);
          if (isChargedAtOnce(invoice)) pay.watch();
        }}
        onCancel={usable.length === 0 ? onClose : () => setIsAdding(false)}
      />
    );
  }
  return (
    <div className={styles.stack}>
      <Refusal {...props} />
      <Sum {...props} credit={credit} />
      {sources.length === 0 ? null : (
        <RadioGroup
          legend={t('with')}
          value={chosen?.id ?? ''}
          onChange={setChosenId}
          options={sources.map(({ id, name, detail, isDefault, isExpired }) => ({
            value: id,
            label: name,
            description: isDefault ? `${detail} · ${t('default')}` : detail,
            isDisabled: isExpired,
          }))}
        />
      )}
      {sources.length === 0 && invoice.method === 'paypal' ? <Banner tone="warning">{t('noAccount')}</Banner> : null}
      {chosen?.isDefault === false ? (
        <p className={styles.muted}>{t('becomesDefault', { name: chosen.name })}</p>
      ) : null}
      <div className={styles.actions}>
        <PayButton {...props} isPending={isPending} chosen={chosen} isDisabled={chosen === undefined && !isCovered} />
        {invoice.method === 'Card' ? <Button onClick={() => setIsAdding(true)}>{t('addCard')}</Button> : null}
        <Button variant="quiet" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </div>
  );
}

type ButtonProps = PayProps & { isPending: boolean; isDisabled: boolean; chosen: Source | undefined };

function PayButton({ invoice, due, pay, isPending, isDisabled, chosen }: ButtonProps) {
  const t = usePayText();
  const amount = useFormat().money(due, invoice.currency);
  // The API charges the default, so another card becomes it first.
  const prepare = chosen?.isDefault === false ? chosen.makeDefault : undefined;
  return (
    <Button variant="primary" pending={isPending} disabled={isDisabled} onClick={() => pay.pay(prepare)}>
      {t('pay', { amount })}
    </Button>
  );
}

/** Why the last try did not pay, in a sentence, and what helps. */
function Refusal({ pay: { state }, invoice }: PayProps) {
  const t = usePayText();
  const failureOf = useFailure();
  if (state.step === 'refused') {
    const { reason, next } = declineOf(state.declineCode);
    return (
      <div role="alert">
        <Banner tone="danger" title={t(`reasons.${reason}`)}>
          {t(`next.${next}`)} {t('nothingCharged')}
        </Banner>
      </div>
    );
  }
  if (state.step !== 'notCharged' && state.step !== 'needsMethod') return null;
  const { message, requestId } =
    state.step === 'needsMethod' || state.error === undefined
      ? { message: state.step === 'needsMethod' ? t('needsMethod') : t('notSent'), requestId: undefined }
      : failureOf(state.error);
  return (
    <div role="alert">
      <Banner tone="danger" title={t('notCharged', { number: invoice.number })}>
        {message} {requestId === undefined ? null : t('requestId', { id: requestId })}
      </Banner>
    </div>
  );
}

function Sum({ invoice, due, credit }: PayProps & { credit: string | null }) {
  const t = usePayText();
  const format = useFormat();
  const { currency } = invoice;
  return (
    <div>
      <div className={styles.sum}>
        <span>{t('due')}</span>
        <span className={styles.amount}>{format.money(due, currency)}</span>
      </div>
      {credit === null ? null : (
        <p className={styles.muted}>
          {t('credit', { credit: format.money(credit, currency), rest: format.money(subtract(due, credit), currency) })}
        </p>
      )}
    </div>
  );
}

type AddProps = PayProps & { isFirst: boolean; onSaved: (id: string) => void; onCancel: () => void };

/** The collection waits for a card, and charges a new one without being asked. */
function isChargedAtOnce({ collection }: PayProps['invoice']): boolean {
  return collection.state === 'awaiting_payment_method' || collection.state === 'exhausted';
}

function AddCard({ isFirst, onSaved, onCancel, ...props }: AddProps) {
  const t = usePayText();
  const format = useFormat();
  return (
    <div className={styles.stack}>
      <Refusal {...props} />
      {isChargedAtOnce(props.invoice) ? (
        <Banner tone="info">{t('addCharges', { amount: format.money(props.due, props.invoice.currency) })}</Banner>
      ) : (
        <p className={styles.muted}>{t(isFirst ? 'addFirst' : 'addOther')}</p>
      )}
      <CardForm
        isDefault
        onSaved={({ id }) => onSaved(id)}
        cancel={<Button onClick={onCancel}>{t('cancel')}</Button>}
      />
    </div>
  );
}

/** What the company's credit will pay of the sum; null if it pays nothing. */
function useCredit(currency: string, due: string): string | null {
  const { data } = useQuery({
    queryKey: ['credit'],
    queryFn: async ({ signal }) => {
      const [{ inStoreCredit }, { currency: ofCompany }] = await Promise.all([
        paydesk().billingInformation.get({ signal }),
        paydesk().billingSettings.get({ signal }),
      ]);
      return { credit: String(inStoreCredit), currency: ofCompany };
    },
  });
  if (data === undefined || data.currency !== currency || !isPositive(data.credit)) return null;
  return smaller(data.credit, due);
}

/** The default, or the first that the bank has not just refused. */
function preferred(usable: readonly Source[], refusedId: string | null): Source | undefined {
  const left = usable.filter(({ id }) => id !== refusedId);
  return left.find(({ isDefault }) => isDefault) ?? left[0] ?? usable[0];
}
