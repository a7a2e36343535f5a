import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { CopyButton } from '../../ui/copy-button/copy-button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { endpointsOf, type Owner } from './owner.ts';
import { useWebhooksText } from './text.ts';

/** Adds an endpoint, and shows its secret once. */
export function AddEndpoint({ owner }: { owner: Owner }) {
  const t = useWebhooksText();
  const may = useMay();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="primary"
        disabledReason={owner === 'operator' || may('platform.applications.all') ? undefined : t('mayNot')}
        onClick={() => setIsOpen(true)}
      >
        {t('add')}
      </Button>
      {isOpen ? <AddDialog owner={owner} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function AddDialog({ owner, onClose }: { owner: Owner; onClose: () => void }) {
  const t = useWebhooksText();
  const forms = useFormsText();
  const queries = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const { submit, isPending, errors, message } = useSubmit(
    (body: { url: string; description: string }, options) => endpointsOf(owner).create(body, options),
    {
      onDone: (endpoint) => {
        void queries.invalidateQueries({ queryKey: ['webhook-endpoints', owner] });
        setSecret(endpoint.secret);
      },
    },
  );
  return (
    <Dialog open onClose={onClose} title={t('add')} closeLabel={forms('close')}>
      {secret !== null ? (
        <Banner tone="success" title={t('secretTitle')} action={<Button onClick={onClose}>{t('done')}</Button>}>
          <code>{secret}</code> <CopyButton text={secret} label={t('copy')} copiedLabel={t('copied')} />
        </Banner>
      ) : (
        <Form
          errors={errors}
          message={message}
          onSubmit={({ url, description }) => void submit({ url: String(url), description: String(description ?? '') })}
          actions={
            <Button type="submit" variant="primary" pending={isPending}>
              {t('add')}
            </Button>
          }
        >
          <TextField
            label={t('url')}
            name="url"
            type="url"
            required
            placeholder="https://example.com/webhooks"
            autoComplete="off"
          />
          <TextField label={t('about')} name="description" autoComplete="off" />
        </Form>
      )}
    </Dialog>
  );
}
