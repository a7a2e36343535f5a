import { Download, Plus, Trash2 } from 'lucide-react';
import { Button, buttonClass } from '../button/button.tsx';
import { IconButton } from '../button/icon-button.tsx';
import { CopyButton } from '../copy-button/copy-button.tsx';
import { Kbd } from '../kbd/kbd.tsx';
import { Spinner } from '../spinner/spinner.tsx';
import { Group, Row } from './group.tsx';

const VARIANTS = ['primary', 'secondary', 'quiet', 'danger'] as const;

export function Actions() {
  return (
    <Group title="Buttons">
      {(['medium', 'small'] as const).map((size) => (
        <Row key={size}>
          {VARIANTS.map((variant) => (
            <Button key={variant} variant={variant} size={size}>
              {{ primary: 'Pay $57.60', secondary: 'Download PDF', quiet: 'Cancel', danger: 'Void invoice' }[variant]}
            </Button>
          ))}
        </Row>
      ))}
      <Row>
        <Button variant="primary" icon={<Plus aria-hidden="true" />}>
          Add card
        </Button>
        <Button icon={<Download aria-hidden="true" />}>Export CSV</Button>
        <a href="#invoice" className={buttonClass({ variant: 'quiet' })}>
          Show invoice
        </a>
      </Row>
      <Row>
        {VARIANTS.map((variant) => (
          <Button key={variant} variant={variant} pending>
            Saving
          </Button>
        ))}
      </Row>
      <Row>
        {VARIANTS.map((variant) => (
          <Button key={variant} variant={variant} disabledReason="Your role may not do this.">
            Refund
          </Button>
        ))}
      </Row>
      <Row>
        <IconButton label="Delete card" icon={<Trash2 aria-hidden="true" />} />
        <CopyButton text="INV-000042" label="Copy number" copiedLabel="Copied" />
        <Spinner label="Loading" />
        <Kbd>Ctrl K</Kbd>
      </Row>
    </Group>
  );
}
