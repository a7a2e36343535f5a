import type { Address } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { paydesk } from '../../api/session.ts';
import { cardName } from '../../format/card.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { AddressFields, readAddress } from './address-fields.tsx';
import { CardForm, MandateForm } from './card-form.tsx';
import { useMethodsText } from './text.ts';

export type Opened =
  | { kind: 'card' }
  | { kind: 'mandate' }
  | { kind: 'paypal' }
  | { kind: 'address'; address?: Address };

/** Adds a card, a PayPal account or an address, or changes an address. */
export function MethodDialog({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  const t = useMethodsText();
  const isChange = opened.kind === 'address' && opened.address !== undefined;
  const title = {
    card: t('card.add'),
    mandate: t('mandate.add'),
    paypal: t('paypal.add'),
    address: t(isChange ? 'address.edit' : 'address.add'),
  };
  return (
    <Dialog open onClose={onClose} title={title[opened.kind]} closeLabel={t('close')}>
      <Suspense fallback={<Skeleton lines={5} />}>
        <Content opened={opened} onClose={onClose} />
      </Suspense>
    </Dialog>
  );
}

function Content({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  const t = useMethodsText();
  const toast = useToast();
  const cancel = <Button onClick={onClose}>{t('cancel')}</Button>;
  const done = (title: string) => {
    toast.add({ title });
    onClose();
  };
  if (opened.kind === 'card')
    return <CardForm cancel={cancel} onSaved={({ info }) => done(t('card.saved', { card: cardName(info) }))} />;
  if (opened.kind === 'mandate')
    return <MandateForm cancel={cancel} onSaved={({ info }) => done(t('card.saved', { card: cardName(info) }))} />;
  if (opened.kind === 'paypal') return <PaypalForm cancel={cancel} onSaved={() => done(t('paypal.saved'))} />;
  return <AddressForm cancel={cancel} address={opened.address} onSaved={() => done(t('address.saved'))} />;
}

type FormProps = { cancel: ReactNode; onSaved: () => void };

function AddressForm({ cancel, address, onSaved }: FormProps & { address?: Address }) {
  const t = useMethodsText();
  const queryClient = useQueryClient();
  const { submit, isPending, errors, message } = useSubmit(
    async (fields: Record<string, FormDataEntryValue>, options) => {
      const body = readAddress(fields);
      await (address === undefined
        ? paydesk().addresses.create(body, options)
        : paydesk().addresses.update(address.id, body));
      await queryClient.invalidateQueries({ queryKey: ['addresses'] });
      await queryClient.invalidateQueries({ queryKey: ['overview'] });
    },
    { onDone: onSaved },
  );
  return (
    <Form
      errors={errors}
      message={message}
      onSubmit={(fields) => void submit(fields)}
      actions={
        <>
          <Button type="submit" variant="primary" pending={isPending}>
            {address === undefined ? t('address.add') : t('save')}
          </Button>
          {cancel}
        </>
      }
    >
      <AddressFields address={address} />
    </Form>
  );
}

/** Only the sandbox takes any setup token; PayPal's own is issued where its holder agrees. */
function PaypalForm({ cancel, onSaved }: FormProps) {
  const t = useMethodsText();
  const queryClient = useQueryClient();
  const { submit, isPending, errors, message } = useSubmit(
    async (setupToken: string, options) => {
      const accounts = queryClient.getQueryData<readonly unknown[]>(['paypal-accounts']) ?? [];
      await paydesk().paypalAccounts.create({ setupToken, isDefault: accounts.length === 0 }, options);
      await queryClient.invalidateQueries({ queryKey: ['paypal-accounts'] });
    },
    { onDone: onSaved },
  );
  return (
    <Form
      errors={errors}
      message={message}
      onSubmit={({ setupToken }) => void submit(String(setupToken))}
      actions={
        <>
          <Button type="submit" variant="primary" pending={isPending}>
            {t('paypal.add')}
          </Button>
          {cancel}
        </>
      }
    >
      <TextField
        label={t('paypal.token')}
        description={t('paypal.tokenHint')}
        name="setupToken"
        defaultValue={`sandbox-${crypto.randomUUID().slice(0, 8)}`}
        autoComplete="off"
        required
      />
    </Form>
  );
}

type DeleteProps = {
  title: string;
  text: string;
  confirm: string;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before a card, an account or an address is deleted. */
export function DeleteDialog({ title, text, confirm, pending, onConfirm, onClose }: DeleteProps) {
  const t = useMethodsText();
  return (
    <ConfirmDialog
      open
      title={title}
      size="small"
      tone="danger"
      confirmLabel={confirm}
      cancelLabel={t('cancel')}
      closeLabel={t('close')}
      pending={pending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}
