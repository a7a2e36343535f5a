import { useState } from 'react';
import { Badge } from '../badge/badge.tsx';
import { CheckGrid } from '../check-grid/check-grid.tsx';
import { Checkbox } from '../checkbox/checkbox.tsx';
import { RadioGroup } from '../radio/radio-group.tsx';
import { Switch } from '../switch/switch.tsx';
import { LinkTabs, Tabs } from '../tabs/tabs.tsx';
import { Group } from './group.tsx';

const TABS = [
  { id: 'invoices', label: 'Invoices' },
  { id: 'payments', label: 'Payments' },
  { id: 'events', label: 'Events' },
];

const CARDS = [
  {
    value: 'visa',
    label: 'Visa •••• 4242',
    description: 'Expires 04/29',
    aside: <Badge tone="neutral">Default</Badge>,
  },
  { value: 'mastercard', label: 'Mastercard •••• 4444', description: 'Expires 11/27' },
  { value: 'amex', label: 'American Express •••• 8431', description: 'Expired 01/26', isDisabled: true },
];

export function Choices() {
  const [card, setCard] = useState('visa');
  const [tab, setTab] = useState('invoices');
  return (
    <Group title="Choices">
      <Checkbox label="E-mail me every invoice" description="To the address of the billing information." />
      <Checkbox label="Remember this device" defaultChecked />
      <Checkbox label="May void invoices" disabled />
      <Checkbox label="Everything" indeterminate />
      <PermissionGrid />
      <Switch label="Require a second factor" description="Of every member, from the next login on." defaultChecked />
      <Switch label="Pay automatically" />
      <RadioGroup legend="Pay with" options={CARDS} value={card} onChange={setCard} />
      <Tabs tabs={TABS} value={tab} onChange={setTab}>
        <p>What the tab shows.</p>
      </Tabs>
      <LinkTabs
        label="Pages of the company"
        links={TABS.map(({ id, label }, index) => (
          <a key={id} href={`#${id}`} aria-current={index === 0 ? 'page' : undefined}>
            {label}
          </a>
        ))}
      />
    </Group>
  );
}

const READ = new Set(['invoices.view', 'labels.view']);

function PermissionGrid() {
  const [checked, setChecked] = useState(new Set(['labels.view']));
  return (
    <CheckGrid
      legend="Permissions"
      description="Nobody gives away what they lack."
      allLabel="Everything"
      columns={[
        { id: 'view', label: 'View' },
        { id: 'all', label: 'Change' },
      ]}
      groups={[
        { label: 'Company', rows: [{ id: 'invoices', label: 'Invoices' }] },
        { label: 'Application', rows: [{ id: 'labels', label: 'Labels' }] },
      ]}
      checked={checked}
      allowed={READ}
      onChange={(cells, isTicked) =>
        setChecked((before) => (isTicked ? before.union(new Set(cells)) : before.difference(new Set(cells))))
      }
    />
  );
}
