import type { MailSummary } from '@paydesk/client';
import { Link } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { ListPart } from '../../lists/part.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { buttonClass } from '../../ui/button/button.tsx';
import { type MailAbout, PreviewMail } from './preview-mail.tsx';
import { useMailsText } from './text.ts';
import { TONES } from './types.ts';

const SHOWN = 5;

/** The latest mails about an invoice or to a company, a part of its page. */
export function MailsOf({ about }: { about: MailAbout }) {
  const t = useMailsText();
  const words = useListsText();
  const columns: Column<MailSummary>[] = [
    {
      id: 'subject',
      header: words('words.subject'),
      cell: ({ id, subject }) => (
        <Link to="/console/emails" search={{ ...about, mail: id }}>
          {subject}
        </Link>
      ),
    },
    { id: 'to', header: words('words.recipient'), cell: ({ to }) => to.join(', ') },
    {
      id: 'status',
      header: words('words.status'),
      cell: ({ status }) => <Badge tone={TONES[status]}>{t(`statuses.${status}`)}</Badge>,
    },
    { id: 'created', header: words('words.created'), cell: ({ createdAt }) => <Instant value={createdAt} /> },
  ];
  return (
    <ListPart
      title={t('latest')}
      actions={
        <>
          <PreviewMail about={about} />
          <Link to="/console/emails" search={about} className={buttonClass()}>
            {t('all')}
          </Link>
        </>
      }
      queryKey={['mails-of', about]}
      read={async (options) => (await paydesk().operator.mails.list({ ...about, perPage: SHOWN }, options)).data}
      columns={columns}
      rowId={({ id }) => id}
      empty={t('none')}
    />
  );
}
