import { Receipt } from 'lucide-react';
import { Banner } from '../banner/banner.tsx';
import { Button } from '../button/button.tsx';
import { EmptyState } from '../empty-state/empty-state.tsx';
import { ErrorState } from '../error-state/error-state.tsx';
import { Progress } from '../progress/progress.tsx';
import { Skeleton } from '../skeleton/skeleton.tsx';
import { Group } from './group.tsx';

export function States() {
  return (
    <Group title="States">
      <Banner tone="neutral">You view this company for reading only.</Banner>
      <Banner tone="info" title="Verify your e-mail address" action={<Button size="small">Send again</Button>}>
        A link is on its way to ada@example.com.
      </Banner>
      <Banner tone="success">The invoice is paid.</Banner>
      <Banner tone="warning" title="Your card expires this month" action={<Button size="small">Add card</Button>} />
      <Banner tone="danger" title="The payment failed">
        The bank declined the card. Use another card.
      </Banner>
      <EmptyState
        icon={<Receipt aria-hidden="true" />}
        title="No invoices yet"
        action={<Button variant="primary">Show usage</Button>}
      >
        The first one is issued on 1 April, for what you use in March.
      </EmptyState>
      <ErrorState
        title="The invoices could not be loaded"
        message="The service does not answer."
        requestId="01980f5e-7c1b"
        requestIdLabel="Request id"
        retryLabel="Try again"
        onRetry={() => undefined}
      />
      <Progress label="Billing run of March" value={640} max={1000} detail="640 of 1,000 companies, 2 minutes left" />
      <Progress label="Waiting for the bank" value={null} max={1} />
      <Skeleton lines={3} />
    </Group>
  );
}
