import type { Mail } from '@paydesk/client';
import { useQuery } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { useFormsText } from '../../forms/text.ts';
import { LoadFailed } from '../../lists/list-page.tsx';
import { useListsText } from '../../lists/text.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Description } from '../../ui/description/description.tsx';
import { SidePanel } from '../../ui/side-panel/side-panel.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './mails.module.css';
import { useMailsText } from './text.ts';
import { TONES } from './tones.ts';

/** An e-mail with its text. */
export function MailPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useMailsText();
  const forms = useFormsText();
  const answer = useQuery({
    queryKey: ['mail', id],
    queryFn: ({ signal }) => paydesk().operator.mails.get(id, { signal }),
    // A link in the text may give access to an account: the page does not keep it.
    gcTime: 0,
  });
  return (
    <SidePanel open onClose={onClose} title={answer.data?.subject ?? t('one')} closeLabel={forms('close')}>
      {answer.isError ? (
        <LoadFailed error={answer.error} onRetry={() => void answer.refetch()} />
      ) : answer.data === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <Contents mail={answer.data} />
      )}
    </SidePanel>
  );
}

function Contents({ mail: { to, type, status, createdAt, sentAt, text } }: { mail: Mail }) {
  const t = useMailsText();
  const words = useListsText();
  const sent = sentAt === null ? [] : [{ term: words('words.sent'), value: <Instant value={sentAt} /> }];
  return (
    <>
      <Description
        items={[
          { term: words('words.recipient'), value: to.join(', ') },
          { term: words('words.type'), value: t(`types.${type}`) },
          { term: words('words.status'), value: <Badge tone={TONES[status]}>{t(`statuses.${status}`)}</Badge> },
          { term: words('words.created'), value: <Instant value={createdAt} /> },
          ...sent,
        ]}
      />
      {text === null ? <p>{t('hidden')}</p> : <p className={styles.text}>{withLinks(text)}</p>}
    </>
  );
}

/** The text, whose addresses of this service are links. */
function withLinks(text: string) {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) =>
    URL.canParse(part) && new URL(part).origin === location.origin ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order
      <a key={index} href={part} target="_blank" rel="noopener">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
