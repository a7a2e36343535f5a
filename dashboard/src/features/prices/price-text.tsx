import type { Price } from '@paydesk/client';
import { useFormat } from '../../format/format.ts';
import { usePricesText } from './text.ts';

/** What a price asks, in a few words. */
export function PriceText({ price: { unitAmount, packageAmount, packageSize, tiers, currency } }: { price: Price }) {
  const t = usePricesText();
  const format = useFormat();
  if (unitAmount !== undefined) return format.unitAmount(unitAmount, currency);
  if (tiers !== undefined) return `${t('tiers', { count: tiers.length })}, ${currency}`;
  return t('perPackage', {
    amount: format.unitAmount(packageAmount ?? '0', currency),
    size: format.number(packageSize ?? 1),
  });
}
