import type { CreditNote } from '@paydesk/client';
import { Download } from 'lucide-react';
import { paydesk } from '../../api/session.ts';
import { Instant, Money } from '../../format/values.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { useInvoiceText } from './text.ts';
import { useDownload } from './use-download.ts';

/** The credit notes that correct an invoice. */
export function CreditNotes({ creditNotes }: { creditNotes: readonly CreditNote[] }) {
  const t = useInvoiceText();
  const { submit } = useDownload();
  if (creditNotes.length === 0) return null;
  return (
    <Card title={t('creditNotes.title')}>
      <Table caption={t('creditNotes.title')}>
        <thead>
          <tr>
            <Th>{t('creditNotes.number')}</Th>
            <Th>{t('creditNotes.reason')}</Th>
            <Th>{t('creditNotes.issued')}</Th>
            <Th align="end">{t('creditNotes.amount')}</Th>
            <Th align="end">{t('creditNotes.file')}</Th>
          </tr>
        </thead>
        <tbody>
          {creditNotes.map(({ id, number, reason, createdAt, total, currency }) => (
            <TableRow key={id}>
              <Td label={t('creditNotes.number')}>{number}</Td>
              <Td label={t('creditNotes.reason')}>{reason}</Td>
              <Td label={t('creditNotes.issued')}>
                <Instant value={createdAt} as="date" />
              </Td>
              <Td label={t('creditNotes.amount')} numeric>
                <Money amount={total} currency={currency} />
              </Td>
              <Td label={t('creditNotes.file')} numeric>
                <IconButton
                  label={t('creditNotes.download', { number })}
                  icon={<Download aria-hidden="true" />}
                  onClick={() => void submit({ read: () => paydesk().creditNotes.pdf(id), name: `${number}.pdf` })}
                />
              </Td>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
