import { type ReactNode, useState } from 'react';
import { Button } from '../button/button.tsx';
import { Checkbox } from '../checkbox/checkbox.tsx';
import { Description } from '../description/description.tsx';
import { ConfirmDialog } from '../dialog/confirm-dialog.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { Popover } from '../popover/popover.tsx';
import { Select } from '../select/select.tsx';
import { SidePanel } from '../side-panel/side-panel.tsx';
import { TextField } from '../text-field/text-field.tsx';
import { type ToastTone, useToast } from '../toast/toast.tsx';
import { Tooltip } from '../tooltip/tooltip.tsx';
import { Group, Row } from './group.tsx';

const ROLES = ['Admin', 'Finance', 'Reader'].map((label) => ({ value: label, label }));

export function Overlays() {
  const { add } = useToast();
  const toast = (tone: ToastTone, title: string) => () =>
    add({ title, tone, description: 'INV-000042, $57.60', action: { label: 'Show', onSelect: () => undefined } });
  return (
    <Group title="Above the page">
      <Row>
        <InviteDialog />
        <VoidDialog />
        <Panel />
      </Row>
      <Row>
        <Popover title="Columns" trigger={<Button>Columns</Button>}>
          <Checkbox label="Company" defaultChecked />
          <Checkbox label="Amount" defaultChecked />
        </Popover>
        <Tooltip text="31 March 2026, 09:00:12 UTC">
          <Button variant="quiet">Yesterday</Button>
        </Tooltip>
        <Button onClick={toast('success', 'Invoice paid')}>Toast</Button>
        <Button onClick={toast('danger', 'The payment failed')}>Toast of a failure</Button>
        <Button onClick={toast('neutral', 'The export is being made')}>Neutral toast</Button>
      </Row>
    </Group>
  );
}

function useOpen() {
  const [isOpen, setIsOpen] = useState(false);
  return { isOpen, open: () => setIsOpen(true), close: () => setIsOpen(false) };
}

function InviteDialog() {
  const { isOpen, open, close } = useOpen();
  return (
    <>
      <Button onClick={open}>Dialog</Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title="Invite a colleague"
        description="They get an e-mail with a link that is good for 7 days."
        footer={<Buttons close={close}>Invite</Buttons>}
      >
        <TextField label="Email" type="email" />
        <Select label="Role" options={ROLES} defaultValue="Reader" />
      </Dialog>
    </>
  );
}

function VoidDialog() {
  const { isOpen, open, close } = useOpen();
  return (
    <>
      <Button onClick={open}>Question</Button>
      <ConfirmDialog
        open={isOpen}
        onClose={close}
        title="Void invoice INV-000042?"
        confirmLabel="Void invoice"
        cancelLabel="Cancel"
        pending={false}
        tone="danger"
        typeToConfirm={{ label: 'Type INV-000042 to confirm', text: 'INV-000042' }}
        onConfirm={close}
        error="The invoice is being paid right now."
      >
        <p>Example Ltd no longer owes $57.60. This can't be undone.</p>
        <Description
          items={[
            { term: 'Receivables', value: '−$57.60' },
            { term: 'Revenue', value: '−$57.60' },
          ]}
        />
      </ConfirmDialog>
    </>
  );
}

function Panel() {
  const { isOpen, open, close } = useOpen();
  return (
    <>
      <Button onClick={open}>Side panel</Button>
      <SidePanel
        open={isOpen}
        onClose={close}
        title="Add endpoint"
        description="Events are sent to it as they happen."
        footer={<Buttons close={close}>Add endpoint</Buttons>}
      >
        <TextField label="URL" type="url" placeholder="https://example.com/webhooks" />
      </SidePanel>
    </>
  );
}

function Buttons({ close, children }: { close: () => void; children: ReactNode }) {
  return (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button variant="primary" onClick={close}>
        {children}
      </Button>
    </>
  );
}
