import { Link } from '@tanstack/react-router';
import { createClient } from '../../api/session.ts';
import { PublicPage } from '../../shell/public-page.tsx';
import { buttonClass } from '../../ui/button/button.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { LinkProblem } from './link-problem.tsx';
import { useAccountsText } from './text.ts';
import { useLink } from './use-link.ts';

/** Goes back to the former e-mail address by the link of the mail about its change. */
export function RevertEmailPage() {
  const t = useAccountsText();
  const { answer, failure } = useLink('revert', 'token', async (token) => {
    await createClient('cookie').auth.email.revert({ token });
    return true;
  });
  if (failure !== null) {
    return (
      <PublicPage title={t('revert.failed')} below={<Link to="/app/login">{t('backToLogin')}</Link>}>
        <LinkProblem text={failure.message} />
      </PublicPage>
    );
  }
  if (answer === undefined) {
    return (
      <PublicPage title={t('revert.pending')}>
        <Skeleton lines={2} />
      </PublicPage>
    );
  }
  return (
    <PublicPage title={t('revert.title')} description={t('revert.done')}>
      <Link to="/app/forgot-password" className={buttonClass({ variant: 'primary' })}>
        {t('revert.reset')}
      </Link>
    </PublicPage>
  );
}
