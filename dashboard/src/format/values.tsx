import { useFormat } from './format.ts';

/** An amount with its currency. */
export function Money({ amount, currency }: { amount: string; currency: string }) {
  return <>{useFormat().money(amount, currency)}</>;
}

/** An instant in the reader's zone, exact on hover. `as` chooses whether the time of the day is shown. */
export function Instant({ value, as = 'instant' }: { value: string; as?: 'instant' | 'date' | 'daysFromNow' }) {
  const format = useFormat();
  return (
    <time dateTime={value} title={format.exact(value)}>
      {format[as](value)}
    </time>
  );
}

/** The days of a billing period, which move with no zone. */
export function Period({ startAt, endAt }: { startAt: string; endAt: string }) {
  return <>{useFormat().period(startAt, endAt)}</>;
}
