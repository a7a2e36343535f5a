import { Link } from '@tanstack/react-router';
import { createClientForOpener, currentSession, paydesk, updateUser } from '../../api/session.ts';
import { PublicPage } from '../../shell/public-page.tsx';
import { buttonClass } from '../../ui/button/button.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { LinkProblem } from './link-problem.tsx';
import { useAccountsText } from './text.ts';
import { useLink } from './use-link.ts';

/** Follows the link that verifies an e-mail address, or changes it to a new one. */
export function VerifyEmailPage() {
  const t = useAccountsText();
  const { answer, failure } = useLink('verify', 'token', verify);
  if (failure !== null) {
    return (
      <PublicPage title={t('verify.failed')}>
        <LinkProblem text={failure.message}>
          <p>{t('verify.again')}</p>
          <Onwards />
        </LinkProblem>
      </PublicPage>
    );
  }
  if (answer === undefined) {
    return (
      <PublicPage title={t('verify.pending')}>
        <Skeleton lines={2} />
      </PublicPage>
    );
  }
  return (
    <PublicPage title={t('verify.title')} description={t('verify.done')}>
      <Onwards />
    </PublicPage>
  );
}

/** To the pages, or to the login first. */
function Onwards() {
  const t = useAccountsText();
  return (
    <Link to="/app" className={buttonClass({ variant: 'primary' })}>
      {currentSession() === null ? t('logIn') : t('goOn')}
    </Link>
  );
}

async function verify(token: string): Promise<true> {
  await createClientForOpener('cookie').auth.email.verify({ token });
  if (currentSession()?.user != null) updateUser((await paydesk().auth.me.get()).data);
  return true;
}
