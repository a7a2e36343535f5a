import { Link } from '@tanstack/react-router';
import { buttonClass } from '../ui/button/button.tsx';
import { EmptyState } from '../ui/empty-state/empty-state.tsx';
import { Page } from './page.tsx';
import { useShellText } from './text.ts';

export function NotFoundPage() {
  const t = useShellText();
  const home = location.pathname.startsWith('/console') ? '/console' : '/app';
  return (
    <Page title={t('notFound.title')}>
      <EmptyState
        title={t('notFound.heading')}
        action={
          <Link to={home} className={buttonClass({ variant: 'primary' })}>
            {t('notFound.home')}
          </Link>
        }
      >
        {t('notFound.message')}
      </EmptyState>
    </Page>
  );
}
