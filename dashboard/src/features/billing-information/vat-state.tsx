import type { BillingSettings } from '@paydesk/client';
import { useFormat } from '../../format/format.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import type { Draft } from './draft.ts';
import { useBillingText } from './text.ts';

type Props = { settings: BillingSettings; draft: Draft; isSaved: boolean };

/** What the tax number changes: whether invoices have tax. */
export function VatState({ settings: { taxExempt, taxRate }, draft, isSaved }: Props) {
  const t = useBillingText();
  const format = useFormat();
  const rate = format.percent(Number(taxRate) / 100);
  if (!isSaved) return <Banner tone="neutral">{t('vat.afterSaving')}</Banner>;
  if (taxExempt) return <Banner tone="success">{t('vat.exempt')}</Banner>;
  if (draft.taxId.trim() === '') return <Banner tone="neutral">{t('vat.none', { rate })}</Banner>;
  return <Banner tone="neutral">{t('vat.shown', { rate })}</Banner>;
}
