import type { ReactNode } from 'react';
import { Banner } from '../../ui/banner/banner.tsx';
import { useAccountsText } from './text.ts';

/** The link of a mail does not work, and what to do about it. Without a text it is no link that the service has sent. */
export function LinkProblem({ text, children }: { text: string | undefined; children?: ReactNode }) {
  const t = useAccountsText();
  return (
    <>
      <div role="alert">
        <Banner tone="danger">{text ?? t('incomplete')}</Banner>
      </div>
      {children}
    </>
  );
}
