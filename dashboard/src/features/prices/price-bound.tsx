import { useFormat } from '../../format/format.ts';
import { Instant } from '../../format/values.tsx';

/** When a version of a price begins or ends: a month, which is each company's own, a day, which begins in UTC, or an instant. */
export function PriceBound({ value }: { value: string }) {
  const format = useFormat();
  if (value.length === '2026-10'.length) return format.month(value);
  if (!value.endsWith('T00:00:00.000Z')) return <Instant value={value} />;
  return (
    <time dateTime={value} title={format.exact(value)}>
      {format.day(value)}
    </time>
  );
}
