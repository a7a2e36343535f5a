import type { Price } from '@paydesk/client';
import { useFormat } from '../../format/format.ts';
import styles from './prices.module.css';
import { usePricesText } from './text.ts';

/** What a price asks, in a few words. */
export function PriceText({ price }: { price: Price }) {
  const t = usePricesText();
  const format = useFormat();
  const { unitAmount, packageAmount, packageSize, tiers, currency } = price;
  if (unitAmount !== undefined) return format.unitAmount(unitAmount, currency);
  if (tiers !== undefined) return `${t('tiers', { count: tiers.length })}, ${currency}`;
  return t('perPackage', {
    amount: format.unitAmount(packageAmount ?? '0', currency),
    size: format.number(packageSize ?? 1),
  });
}

/** What a price asks, with each of its tiers. */
export function PriceLines({ price }: { price: Price }) {
  const t = usePricesText();
  const format = useFormat();
  const { tiers, currency } = price;
  if (tiers === undefined) return <PriceText price={price} />;
  return (
    <ul className={styles.lines}>
      {tiers.map(({ upTo, unitAmount, flatAmount }, index) => {
        const amount = format.unitAmount(unitAmount, currency);
        const each =
          flatAmount === undefined
            ? t('each', { amount })
            : t('eachAndFlat', { amount, flat: format.unitAmount(flatAmount, currency) });
        const from = format.number((tiers[index - 1]?.upTo ?? 0) + 1);
        const range = upTo === null ? t('rangeOpen', { from }) : t('range', { from, to: format.number(upTo) });
        return <li key={upTo}>{`${range}: ${each}`}</li>;
      })}
    </ul>
  );
}
