import { paydesk } from '../../api/session.ts';
import type { Option } from '../../ui/select/select.tsx';

const LATEST = 100;

/** The latest invoices whose numbers contain a text, or else the one with this number. */
export async function findInvoices(text: string, signal: AbortSignal): Promise<Option[]> {
  const { list } = paydesk().operator.invoices;
  const { data: latest } = await list({ perPage: LATEST }, { signal });
  const found = latest.filter(({ number }) => number.includes(text.toUpperCase()));
  const { data } = found.length === 0 ? await list({ number: text }, { signal }) : { data: found };
  return data.map(({ id, number }) => ({ value: id, label: number }));
}

/** The number of an invoice by its id. */
export async function nameInvoice(id: string, signal: AbortSignal): Promise<string> {
  return (await paydesk().operator.invoices.get(id, { signal })).number;
}
