import type { CreateCardSetupBody } from '@paydesk/client';
import { isPaydeskError } from '@paydesk/client';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { paydesk } from '../../../api/session.ts';
import { loadStripe, type StripeElements } from '../../../api/stripe.ts';
import { FormError } from '../../../forms/use-submit.ts';
import { useLanguage } from '../../../i18n/language.ts';
import { useListsText } from '../../../lists/text.ts';
import { ErrorState } from '../../../ui/error-state/error-state.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import styles from '../payment-methods.module.css';
import { useMethodsText } from '../text.ts';
import type { CardFieldsHandle } from './take-card.ts';

/** A card in the fields of Stripe, whose frames keep the number from this page; its bank may ask for a confirmation in one of them. */
export function StripeFields({ ref }: { ref: Ref<CardFieldsHandle> }) {
  return <PaymentElement ref={ref} method="Card" />;
}

/** An account for direct debits likewise, with the text of the mandate. */
export function StripeMandateFields({ ref }: { ref: Ref<CardFieldsHandle> }) {
  return <PaymentElement ref={ref} method="sepa_debit" />;
}

type Props = { ref: Ref<CardFieldsHandle>; method: NonNullable<CreateCardSetupBody['method']> };

function PaymentElement({ ref, method }: Props) {
  const t = useMethodsText();
  const words = useListsText();
  const language = useLanguage();
  const place = useRef<HTMLDivElement>(null);
  const elements = useRef<StripeElements | null>(null);
  const isConfirmed = useRef(false);
  const [isReady, setIsReady] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['card-setup', method],
    queryFn: async () => {
      const setup = await paydesk().cardSetups.create({ method });
      return { setup, stripe: await loadStripe(setup.publishableKey) };
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  useEffect(() => {
    if (data === undefined || place.current === null) return;
    const { clientSecret } = data.setup;
    elements.current = data.stripe.elements({ clientSecret, locale: language, appearance: appearance() });
    const element = elements.current.create('payment', {
      fields: { billingDetails: { name: 'never', address: { country: 'never', postalCode: 'never' } } },
    });
    element.on('ready', () => setIsReady(true));
    element.mount(place.current);
    return () => element.destroy();
  }, [data, language]);
  useImperativeHandle(ref, () => ({
    take: async (fields, { country, zipCode }) => {
      if (data === undefined || elements.current === null) throw new FormError(t('card.fieldsNotLoaded'));
      const address = { country, postal_code: zipCode };
      if (!isConfirmed.current) {
        const { error: refusal } = await data.stripe.confirmSetup({
          elements: elements.current,
          redirect: 'if_required',
          confirmParams: {
            return_url: location.href,
            payment_method_data: { billing_details: { name: String(fields.name ?? ''), address } },
          },
        });
        if (refusal !== undefined) throw new FormError(refusal.message ?? t('card.notConfirmed'));
        isConfirmed.current = true;
      }
      return { setupId: data.setup.id };
    },
  }));
  if (error !== null)
    return (
      <ErrorState
        title={t('card.fieldsFailed')}
        message={t('card.fieldsFailedHint')}
        requestId={isPaydeskError(error) ? (error.requestId ?? undefined) : undefined}
        requestIdLabel={words('requestId')}
        retryLabel={words('retry')}
        onRetry={() => void refetch()}
      />
    );
  return (
    <>
      <TextField
        label={t(method === 'Card' ? 'card.name' : 'mandate.holder')}
        name="name"
        autoComplete={method === 'Card' ? 'cc-name' : 'name'}
        required
      />
      {isReady ? null : <Skeleton lines={3} />}
      <div ref={place} className={styles.gateway} data-ready={isReady || undefined} />
    </>
  );
}

/** The look of the page (https://docs.stripe.com/elements/appearance-api). Stripe's frames know none of its variables. */
function appearance() {
  const probe = document.createElement('span');
  document.body.append(probe);
  const color = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const variables = {
    colorPrimary: color('--accent'),
    colorText: color('--text'),
    colorTextSecondary: color('--text-muted'),
    colorBackground: color('--surface-raised'),
    colorDanger: color('--danger-text'),
  };
  probe.remove();
  return { theme: 'stripe', variables };
}
