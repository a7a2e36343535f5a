import type { OperatorOverview } from '@paydesk/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { type Step, Steps } from '../../ui/steps/steps.tsx';
import { CreateCompany } from '../companies/dialogs/create-company.tsx';
import { CreateInvoice } from '../operator-invoices/create-invoice.tsx';
import { CreatePrice } from '../prices/create-price.tsx';
import { useOperatorHomeText } from './text.ts';

const DISMISSED = 'paydesk.setup-dismissed';
const SMALL = { size: 'small' } as const;

/** Leads a new operator to the first invoice, until all is done or the list is dismissed in this browser. */
export function Setup({ setup }: { setup: OperatorOverview['setup'] }) {
  const t = useOperatorHomeText();
  const role = useSession()?.operatorRole;
  const [isDismissed, setIsDismissed] = useState(localStorage.getItem(DISMISSED) !== null);
  const actions = {
    seller: (
      <Link to="/console/seller" className={buttonClass(SMALL)}>
        {t('setup.sellerAction')}
      </Link>
    ),
    price: <CreatePrice look={SMALL} />,
    company: <CreateCompany look={SMALL} />,
    invoice: <CreateInvoice look={SMALL} />,
  };
  const steps = (['seller', 'price', 'company', 'invoice'] as const).map(
    (id): Step => ({
      id,
      title: t(`setup.${id}`),
      description: t(`setup.${id}Text`),
      done: setup[id],
      action: actions[id],
    }),
  );
  const done = steps.filter((step) => step.done).length;
  const mayAct = role === 'finance' || role === 'admin';
  if (isDismissed || !mayAct || done === steps.length) return null;
  const dismiss = () => {
    localStorage.setItem(DISMISSED, 'yes');
    setIsDismissed(true);
  };
  return (
    <Card
      title={t('setup.title')}
      description={t('setup.progress', { done: String(done), steps: String(steps.length) })}
      actions={
        <Button variant="quiet" size="small" onClick={dismiss}>
          {t('setup.dismiss')}
        </Button>
      }
    >
      <Steps items={steps} doneLabel={t('setup.done')} />
    </Card>
  );
}
