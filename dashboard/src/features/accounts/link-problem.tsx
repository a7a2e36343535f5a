import type { ReactNode } from 'react';
import { Banner } from '../../ui/banner/banner.tsx';

/** The link of a mail does not work, and what to do about it. */
export function LinkProblem({ text, children }: { text: string | undefined; children?: ReactNode }) {
  return (
    <>
      <div role="alert">
        <Banner tone="danger">{text}</Banner>
      </div>
      {children}
    </>
  );
}
