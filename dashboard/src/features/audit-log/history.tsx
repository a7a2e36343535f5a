import { History } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useMay } from '../../api/may.ts';
import { useSession } from '../../api/session.ts';
import { useListsText } from '../../lists/text.ts';
import { Button } from '../../ui/button/button.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import type { MenuItem } from '../../ui/menu/menu.tsx';
import type { HistoryOf } from './record-history.tsx';

const RecordHistory = lazy(() =>
  import('./record-history.tsx').then(({ RecordHistory: panel }) => ({ default: panel })),
);

/** Opens what the audit log has about a record, on a page of its own. Absent without the permission to read the log. */
export function HistoryButton(record: HistoryOf) {
  const { label, open, panel } = useHistory(record);
  if (open === null) return null;
  return (
    <>
      <Button icon={<History aria-hidden="true" />} onClick={open}>
        {label}
      </Button>
      {panel}
    </>
  );
}

/** The same in a row of a list. */
export function RowHistory(record: HistoryOf) {
  const { label, open, panel } = useHistory(record);
  if (open === null) return null;
  return (
    <>
      <IconButton label={`${label}: ${record.name}`} icon={<History aria-hidden="true" />} onClick={open} />
      {panel}
    </>
  );
}

/** Returns the same for a menu: its entry, which is absent without the permission, and the panel that it opens. */
export function useHistoryItem(record: HistoryOf): { items: MenuItem[]; panel: ReactNode } {
  const { label, open, panel } = useHistory(record);
  return { items: open === null ? [] : [{ label, onSelect: open }], panel };
}

function useHistory(record: HistoryOf) {
  const words = useListsText();
  const may = useMay();
  const role = useSession()?.operatorRole;
  const [isOpen, setIsOpen] = useState(false);
  const mayRead = role == null ? may('platform.admins.view') : role !== 'integration';
  return {
    label: words('history'),
    open: mayRead ? () => setIsOpen(true) : null,
    panel: isOpen ? (
      <Suspense fallback={null}>
        <RecordHistory {...record} onClose={() => setIsOpen(false)} />
      </Suspense>
    ) : null,
  };
}
