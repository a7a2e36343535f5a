import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { createClient, startSession, useSession } from '../../api/session.ts';
import { PublicPage } from '../../shell/public-page.tsx';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { LinkProblem } from './link-problem.tsx';
import { useAccountsText } from './text.ts';
import { useLink } from './use-link.ts';

/**
 * Opens the pages for a customer, by the link that a product has asked for. A member is asked first: a link that a stranger has sent would
 * otherwise show another company's pages, into which the member might type a card.
 */
export function SessionPage() {
  const t = useAccountsText();
  const member = useSession()?.user ?? null;
  const [isWanted, setIsWanted] = useState(member === null);
  if (isWanted) return <OpenedSession />;
  return (
    <PublicPage title={t('session.other')} description={t('session.otherText', { email: member?.email ?? '' })}>
      <Button variant="primary" onClick={() => setIsWanted(true)}>
        {t('session.continue')}
      </Button>{' '}
      <Link to="/app" className={buttonClass()}>
        {t('session.stay')}
      </Link>
    </PublicPage>
  );
}

function OpenedSession() {
  const t = useAccountsText();
  const navigate = useNavigate();
  const { answer, failure } = useLink('session', 'code', openSession);
  useEffect(() => {
    if (answer !== undefined) void navigate({ to: '/app', replace: true });
  }, [answer, navigate]);
  return (
    <PublicPage title={failure === null ? t('session.pending') : t('session.failed')}>
      {failure === null ? (
        <Skeleton lines={2} />
      ) : (
        <LinkProblem text={failure.message}>
          <p>{t('session.again')}</p>
        </LinkProblem>
      )}
    </PublicPage>
  );
}

async function openSession(code: string): Promise<true> {
  const client = createClient('customer');
  const { data } = await client.auth.session({ code });
  startSession('customer', client, data, 'app');
  return true;
}
