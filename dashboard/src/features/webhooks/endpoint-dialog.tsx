import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormsText } from '../../forms/text.ts';
import { FormError, useSubmit } from '../../forms/use-submit.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Secret } from '../../ui/secret/secret.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { type Chosen, EventChoice } from './event-choice.tsx';
import { endpointsOf, type Owner } from './owner.ts';
import { useWebhooksText } from './text.ts';

type Props = { owner: Owner /** Absent for a new one. */; endpoint?: WebhookEndpoint; onClose: () => void };

/** Adds an endpoint, and shows its secret once; or changes one. */
export function EndpointDialog({ owner, endpoint, onClose }: Props) {
  const t = useWebhooksText();
  const forms = useFormsText();
  const [secret, setSecret] = useState<string | null>(null);
  const title = endpoint === undefined ? t('add') : t('edit');
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={forms('close')} size="large">
      {secret === null ? (
        <EndpointForm
          {...{ owner, endpoint }}
          onDone={(saved) => ('secret' in saved ? setSecret(saved.secret) : onClose())}
        />
      ) : (
        <NewSecret secret={secret} onDone={onClose} />
      )}
    </Dialog>
  );
}

type FormProps = Omit<Props, 'onClose'> & { onDone: (saved: WebhookEndpoint | WebhookEndpointWithSecret) => void };

function EndpointForm({ owner, endpoint, onDone }: FormProps) {
  const t = useWebhooksText();
  const forms = useFormsText();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Chosen>(
    endpoint === undefined || endpoint.types.length === 0 ? null : endpoint.types,
  );
  const { submit, isPending, errors, message } = useSubmit(
    async (fields: { url: string; description: string }, options) => {
      if (chosen?.length === 0) throw new FormError(t('chooseOne'));
      const body = { ...fields, types: [...(chosen ?? [])] as never[] };
      const endpoints = endpointsOf(owner);
      return endpoint === undefined ? endpoints.create(body, options) : endpoints.update(endpoint.id, body, options);
    },
    {
      onDone: (saved) => {
        void queries.invalidateQueries({ queryKey: ['webhook-endpoints', owner] });
        onDone(saved);
      },
    },
  );
  return (
    <Form
      errors={errors}
      message={message}
      onSubmit={({ url, description }) => void submit({ url: String(url), description: String(description ?? '') })}
      actions={
        <Button type="submit" variant="primary" pending={isPending}>
          {endpoint === undefined ? t('add') : forms('save')}
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
        defaultValue={endpoint?.url}
      />
      <TextField label={t('about')} name="description" autoComplete="off" defaultValue={endpoint?.description} />
      <EventChoice owner={owner} chosen={chosen} onChange={setChosen} />
    </Form>
  );
}

/** The only time that a secret is shown. */
export function NewSecret({
  secret,
  description,
  onDone,
}: {
  secret: string;
  description?: string;
  onDone: () => void;
}) {
  const t = useWebhooksText();
  return (
    <>
      <Banner tone="success" title={t('secretTitle')} action={<Button onClick={onDone}>{t('done')}</Button>} />
      <Secret
        label={t('secret')}
        text={secret}
        description={description ?? t('secretText')}
        copyLabel={t('copy')}
        copiedLabel={t('copied')}
      />
    </>
  );
}
