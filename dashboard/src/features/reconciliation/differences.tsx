import type { Reconciliation, ReconciliationDifference } from '@paydesk/client';
import { Money } from '../../format/values.tsx';
import { useListsText } from '../../lists/text.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { CompanyLink } from '../companies/company-link.tsx';
import { useReconciliationText } from './text.ts';

type Props = { answer: Reconciliation; onMore: (cursor: string) => void };

/** What the comparison has found. */
export function Differences({ answer: { compared, differences, ofOtherInstallations, nextCursor }, onMore }: Props) {
  const t = useReconciliationText();
  return (
    <>
      {differences.length === 0 ? (
        <Banner tone="success" title={t('agree')}>
          {t('compared', { count: compared })}
        </Banner>
      ) : (
        <DifferenceTable differences={differences} />
      )}
      {ofOtherInstallations === 0 ? null : <p>{t('others', { count: ofOtherInstallations })}</p>}
      {nextCursor === null ? null : <Button onClick={() => onMore(nextCursor)}>{t('more')}</Button>}
    </>
  );
}

function DifferenceTable({ differences }: { differences: readonly ReconciliationDifference[] }) {
  const t = useReconciliationText();
  const words = useListsText();
  return (
    <Table caption={t('title')}>
      <thead>
        <tr>
          <Th>{t('difference')}</Th>
          <Th>{t('record')}</Th>
          <Th>{words('words.company')}</Th>
          <Th align="end">{t('here')}</Th>
          <Th align="end">{t('there')}</Th>
        </tr>
      </thead>
      <tbody>
        {differences.map((difference) => (
          <TableRow key={`${difference.kind} ${difference.id ?? difference.gatewayId}`}>
            <Td label={t('difference')}>
              <Badge tone="danger">{t(`kinds.${difference.kind}`)}</Badge>
            </Td>
            <Td label={t('record')}>
              {t(`entries.${difference.entry}`)} <code>{difference.gatewayId}</code>
            </Td>
            <Td label={words('words.company')}>
              <CompanyLink company={difference} />
            </Td>
            <Td label={t('here')} numeric>
              <Side side={difference.here} />
            </Td>
            <Td label={t('there')} numeric>
              <Side side={difference.there} />
            </Td>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function Side({ side }: { side: ReconciliationDifference['here'] }) {
  return side === null ? '–' : <Money amount={side.amount} currency={side.currency} />;
}
