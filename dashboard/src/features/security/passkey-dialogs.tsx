import type { Passkey } from '@paydesk/client';
import { makePasskey } from '../../api/authenticator.ts';
import { paydesk } from '../../api/session.ts';
import { PasswordAgain } from '../../forms/password-again.tsx';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useSecurityText } from './text.ts';
import { passwordOf } from './totp-dialogs.tsx';

type Fields = Record<string, string>;

/** Has the device make a passkey, and registers it. */
export function AddPasskeyDialog({
  onClose,
  onDone,
}: {
  onClose: () => void;
  onDone: (codes: readonly string[] | null) => void;
}) {
  const t = useSecurityText();
  const forms = useFormsText();
  const toast = useToast();
  const { submit, isPending, errors, message } = useSubmit(
    async ({ name = '', ...fields }: Fields) => {
      const { data: options } = await paydesk().auth.passkeys.begin(passwordOf(fields));
      const passkey = await makePasskey(options);
      return (await paydesk().auth.passkeys.create({ name, passkey })).data;
    },
    {
      onDone: ({ name, recovery_codes: codes }) => {
        toast.add({ title: t('passkeys.isAdded', { name }) });
        onDone(codes);
      },
    },
  );
  return (
    <Dialog open onClose={onClose} title={t('passkeys.add')} closeLabel={forms('close')} size="small">
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit(fields as Fields)}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {t('passkeys.add')}
          </Button>
        }
      >
        <p>{t('passkeys.addDescription')}</p>
        <TextField label={t('passkeys.name')} name="name" description={t('passkeys.nameDescription')} required />
        <PasswordAgain />
      </Form>
    </Dialog>
  );
}

type Props = { passkey: Passkey; onClose: () => void; onDone: () => void };

export function RenamePasskeyDialog({ passkey, onClose, onDone }: Props) {
  const t = useSecurityText();
  const forms = useFormsText();
  const { submit, isPending, errors, message } = useSubmit(
    async ({ name = '' }: Fields) => void (await paydesk().auth.passkeys.update(passkey.id, { name })),
    { onDone },
  );
  return (
    <Dialog open onClose={onClose} title={t('passkeys.rename')} closeLabel={forms('close')} size="small">
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit(fields as Fields)}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {t('passkeys.rename')}
          </Button>
        }
      >
        <TextField label={t('passkeys.name')} name="name" defaultValue={passkey.name} required />
      </Form>
    </Dialog>
  );
}

export function DeletePasskeyDialog({ passkey, onClose, onDone }: Props) {
  const t = useSecurityText();
  const forms = useFormsText();
  const toast = useToast();
  const { submit, isPending, errors, message } = useSubmit(
    (fields: Fields) => paydesk().auth.passkeys.delete(passkey.id, passwordOf(fields)),
    {
      onDone: () => {
        toast.add({ title: t('passkeys.isDeleted', { name: passkey.name }) });
        onDone();
      },
    },
  );
  return (
    <Dialog open onClose={onClose} title={t('passkeys.delete')} closeLabel={forms('close')} size="small">
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit(fields as Fields)}
        actions={
          <Button type="submit" variant="danger" pending={isPending}>
            {t('passkeys.delete')}
          </Button>
        }
      >
        <p>{t('passkeys.deleteDescription', { name: passkey.name })}</p>
        <PasswordAgain />
      </Form>
    </Dialog>
  );
}
