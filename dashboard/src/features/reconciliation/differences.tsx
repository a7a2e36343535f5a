import type { ReconciliationDifference } from '@paydesk/client';
import { Money } from '../../format/values.tsx';
import { useListsText } from '../../lists/text.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { Progress } from '../../ui/progress/progress.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { NamedCompanyLink } from '../companies/company-link.tsx';
import { useReconciliationText } from './text.ts';
import type { Comparison } from './use-comparison.ts';

/** What the comparison has found so far; only one that is over says that the books agree. */
export function Differences({ comparison, isComparing }: { comparison: Comparison; isComparing: boolean }) {
  const t = useReconciliationText();
  const { compared, differences, ofOtherInstallations, isOver } = comparison;
  const count = t('compared', { count: compared });
  return (
    <>
      {isComparing ? <Progress label={t('comparing')} value={null} max={1} detail={count} /> : null}
      {isOver && differences.length === 0 ? (
        <Banner tone="success" title={t('agree')}>
          {count}
        </Banner>
      ) : null}
      {differences.length === 0 ? null : (
        <>
          <Banner tone="warning" title={t('differences', { count: differences.length })}>
            {count}
          </Banner>
          <DifferenceTable differences={differences} />
        </>
      )}
      {ofOtherInstallations === 0 ? null : <p>{t('others', { count: ofOtherInstallations })}</p>}
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
              <NamedCompanyLink company={difference} />
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
