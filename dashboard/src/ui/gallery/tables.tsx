import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Badge, type Tone } from '../badge/badge.tsx';
import { IconButton } from '../button/icon-button.tsx';
import { Menu } from '../menu/menu.tsx';
import { Pagination } from '../pagination/pagination.tsx';
import { TableSkeleton } from '../skeleton/table-skeleton.tsx';
import { Table, TableRow, Td, Th } from '../table/table.tsx';
import { Group } from './group.tsx';

const INVOICES: readonly [string, string, Tone, string, string][] = [
  ['INV-000044', 'Example Ltd', 'info', 'Due', '$1,257.60'],
  ['INV-000043', 'Northern Light Cooperative of Tromsø', 'danger', 'Overdue', '$57.60'],
  ['INV-000042', 'Ada Lovelace', 'success', 'Paid', '$12,043.00'],
  ['INV-000041', 'Example Ltd', 'neutral', 'Void', '$0.99'],
];

export function Tables() {
  const [page, setPage] = useState(1);
  return (
    <Group title="Tables">
      <Table caption="Invoices">
        <thead>
          <tr>
            <Th sort="descending" onSort={() => undefined}>
              Number
            </Th>
            <Th>Company</Th>
            <Th>Status</Th>
            <Th align="end" sort="none" onSort={() => undefined}>
              Amount
            </Th>
            <Th align="end">Actions</Th>
          </tr>
        </thead>
        <tbody>
          {INVOICES.map(([number, company, tone, status, amount]) => (
            <TableRow key={number} isLink>
              <Td label="Number">
                <a href={`#${number}`}>{number}</a>
              </Td>
              <Td label="Company">{company}</Td>
              <Td label="Status">
                <Badge tone={tone}>{status}</Badge>
              </Td>
              <Td label="Amount" numeric>
                {amount}
              </Td>
              <Td label="Actions" numeric isActive>
                <RowMenu number={number} />
              </Td>
            </TableRow>
          ))}
        </tbody>
      </Table>
      <Pagination
        page={page}
        pages={7}
        pageLabel={`Page ${page} of 7`}
        previousLabel="Previous page"
        nextLabel="Next page"
        onPage={setPage}
      />
      <TableSkeleton columns={5} rows={3} />
    </Group>
  );
}

function RowMenu({ number }: { number: string }) {
  return (
    <Menu
      trigger={<IconButton label={`Actions for ${number}`} icon={<MoreHorizontal aria-hidden="true" />} />}
      items={[
        { label: 'Download PDF', onSelect: () => undefined },
        { label: 'Refund', onSelect: () => undefined, disabledReason: 'Nothing has been paid.' },
        'separator',
        { label: 'Void invoice', tone: 'danger', onSelect: () => undefined },
      ]}
    />
  );
}
