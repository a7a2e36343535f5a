import type { CreditNote } from '@paydesk/client';
import { Download } from 'lucide-react';
import { Instant, Money } from '../../format/values.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { useInvoiceText } from './text.ts';
import { useDownload } from './use-download.ts';

type Props = {
  creditNotes: readonly CreditNote[];
  /** Reads the PDF of one; without it there is no download. */
  readPdf?: (creditNoteId: string) => Promise<Uint8Array<ArrayBuffer>>;
};

/** The credit notes that correct an invoice. */
export function CreditNotes({ creditNotes, readPdf }: Props) {
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
            {readPdf === undefined ? null : <Th align="end">{t('creditNotes.file')}</Th>}
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
              {readPdf === undefined ? null : (
                <Td label={t('creditNotes.file')} numeric>
                  <IconButton
                    label={t('creditNotes.download', { number })}
                    icon={<Download aria-hidden="true" />}
                    onClick={() => void submit({ read: () => readPdf(id), name: `${number}.pdf` })}
                  />
                </Td>
              )}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
