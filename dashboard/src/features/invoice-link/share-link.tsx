import type { Paydesk } from '@paydesk/client';
import { Link2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button/button.tsx';
import { useInvoiceLinkText } from './text.ts';

const LinkDialog = lazy(() => import('./link-dialog.tsx').then((module) => ({ default: module.LinkDialog })));

export type ShareLinkProps = {
  invoice: { id: string; number: string };
  /** The company's or the operator's part of the API. */
  link: Paydesk['invoices']['link'];
  /** Why the link can only be copied. */
  disabledReason?: string;
};

/** Shows the link to the page on which the invoice can be paid without a login. */
export function ShareLink(props: ShareLinkProps) {
  const t = useInvoiceLinkText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon={<Link2 aria-hidden="true" />} onClick={() => setIsOpen(true)}>
        {t('share')}
      </Button>
      <Suspense fallback={null}>{isOpen ? <LinkDialog {...props} onClose={() => setIsOpen(false)} /> : null}</Suspense>
    </>
  );
}
