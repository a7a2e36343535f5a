import type { Session } from '@paydesk/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { deviceOf } from './device.ts';
import { Rows } from './rows.tsx';
import styles from './security.module.css';
import { useSecurityText } from './text.ts';

/** Where the person is logged in, to end what is not theirs. */
export function SessionsSection() {
  const t = useSecurityText();
  const cache = useQueryClient();
  const toast = useToast();
  const query = useQuery({ queryKey: ['sessions'], queryFn: () => paydesk().auth.sessions.list() });
  const { submit, isPending, message } = useSubmit(
    (id: string | null) => (id === null ? paydesk().auth.sessions.revokeOthers() : paydesk().auth.sessions.revoke(id)),
    {
      onDone: () => {
        toast.add({ title: t('sessions.done') });
        void cache.invalidateQueries({ queryKey: ['sessions'] });
      },
    },
  );
  const hasOthers = (query.data?.data.length ?? 0) > 1;
  return (
    <Card
      title={t('sessions.title')}
      description={t('sessions.description')}
      actions={
        <Button disabled={!hasOthers} pending={isPending} onClick={() => void submit(null)}>
          {t('sessions.endOthers')}
        </Button>
      }
    >
      <div role="alert">{message === undefined ? null : <Banner tone="danger">{message}</Banner>}</div>
      <Rows query={query} empty="">
        {(session) => <SessionRow key={session.id} session={session} onEnd={() => void submit(session.id)} />}
      </Rows>
    </Card>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const t = useSecurityText();
  const device = deviceOf(session.user_agent) ?? t('sessions.program');
  return (
    <li className={styles.item}>
      <div>
        <p className={styles.name}>
          {device}
          {session.current ? <Badge tone="success">{t('sessions.current')}</Badge> : null}
        </p>
        <p className={styles.fact}>
          {session.ip} · {t('lastUsed')} <Instant value={session.last_used_at} />
        </p>
      </div>
      {session.current ? null : (
        <Button size="small" aria-label={t('sessions.endOne', { device })} onClick={onEnd}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}
