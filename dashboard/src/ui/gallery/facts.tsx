import { Check, FileText, RotateCw, X } from 'lucide-react';
import { Avatar } from '../avatar/avatar.tsx';
import { Badge } from '../badge/badge.tsx';
import { Breadcrumbs } from '../breadcrumbs/breadcrumbs.tsx';
import { Button } from '../button/button.tsx';
import { Card } from '../card/card.tsx';
import { Description } from '../description/description.tsx';
import { Secret } from '../secret/secret.tsx';
import { Separator } from '../separator/separator.tsx';
import { Stat, Stats } from '../stat/stat.tsx';
import { Steps } from '../steps/steps.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { Group, Row } from './group.tsx';

const BADGES = { neutral: 'Void', info: 'Due', success: 'Paid', warning: 'Finding out', danger: 'Overdue' } as const;

const FACTS = [
  { term: 'Number', value: 'INV-000042' },
  { term: 'Period', value: '1 to 31 March 2026' },
  { term: 'Paid with', value: 'Visa •••• 4242' },
  { term: 'State', value: <Badge tone="success">Paid</Badge> },
];

const EVENTS = [
  { id: '1', tone: 'neutral', icon: <FileText />, title: 'Invoice issued over $57.60', time: '1 April 2026, 09:00' },
  {
    id: '2',
    tone: 'danger',
    icon: <X />,
    title: 'Visa •••• 4242 was declined',
    time: '8 April 2026, 09:00',
    children: 'The card has too little money. Use another card, or try again later.',
  },
  { id: '3', tone: 'success', icon: <Check />, title: 'Paid $57.60 with Visa •••• 4444', time: '9 April 2026, 14:12' },
  { id: '4', tone: 'info', icon: <RotateCw />, title: 'The next retry', time: '11 April 2026, 09:00' },
] as const;

export function Facts() {
  return (
    <Group title="Facts">
      <Breadcrumbs
        label="Above this page"
        links={[
          <a key="1" href="#companies">
            Companies
          </a>,
          <a key="2" href="#acme">
            Example Ltd
          </a>,
        ]}
      />
      <Row>
        {Object.entries(BADGES).map(([tone, word]) => (
          <Badge key={tone} tone={tone as keyof typeof BADGES}>
            {word}
          </Badge>
        ))}
        <Avatar name="Ada Lovelace" />
      </Row>
      <Stats>
        <Stat label="Due" value="$1,257.60" hint="3 invoices, the next on 8 April" />
        <Stat
          label="Usage in March"
          value="1,204,311"
          trend={{ text: '12 % more than in February', tone: 'success' }}
        />
        <Stat label="Failed" value="2" trend={{ text: '2 more than in February', tone: 'danger' }} />
      </Stats>
      <Card title="Details" description="What the invoice says." actions={<Button size="small">Edit</Button>}>
        <Description items={FACTS} />
      </Card>
      <Card title="History">
        <Timeline items={EVENTS} />
      </Card>
      <Card title="Set up your account" description="1 of 3 done">
        <Steps
          doneLabel="done"
          items={[
            { id: 'email', title: 'Verify your e-mail address', done: true },
            {
              id: 'card',
              title: 'Add a card',
              description: 'Invoices are paid with it on their day.',
              done: false,
              action: (
                <Button size="small" variant="primary">
                  Add card
                </Button>
              ),
            },
            { id: 'team', title: 'Invite a colleague', done: false, action: <Button size="small">Invite</Button> },
          ]}
        />
      </Card>
      <Separator />
      <Secret
        label="API key"
        text="example-of-a-key-that-is-shown-once-and-is-long-enough-to-need-two-lines"
        description="Copy it now: it is not shown again."
        copyLabel="Copy key"
        copiedLabel="Copied"
      />
    </Group>
  );
}
