import type { TotpSecret } from '@paydesk/client';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { PasswordAgain } from '../../forms/password-again.tsx';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { CopyButton } from '../../ui/copy-button/copy-button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { QrCode } from './qr-code.tsx';
import styles from './security.module.css';
import { useSecurityText } from './text.ts';

type Props = { onClose: () => void };
type Fields = Record<string, string>;

/** The password once more, if there is one. */
export function passwordOf({ password }: Fields): { password?: string } {
  return password ? { password } : {};
}

/** Sets up the app: first the password, then the QR code and a code of the app. */
export function SetUpTotpDialog({ onClose, onDone }: Props & { onDone: (codes: readonly string[] | null) => void }) {
  const t = useSecurityText();
  const forms = useFormsText();
  const [secret, setSecret] = useState<TotpSecret | null>(null);
  const begin = useSubmit(async (fields: Fields) => (await paydesk().auth.totp.begin(passwordOf(fields))).data, {
    onDone: setSecret,
  });
  return (
    <Dialog open onClose={onClose} title={t('totp.setUp')} closeLabel={forms('close')} size="small">
      {secret === null ? (
        <Form
          errors={begin.errors}
          message={begin.message}
          onSubmit={(fields) => void begin.submit(fields as Fields)}
          actions={
            <Button type="submit" variant="primary" pending={begin.isPending}>
              {t('goOn')}
            </Button>
          }
        >
          <p>{t('passwordFirst')}</p>
          <PasswordAgain />
        </Form>
      ) : (
        <ConfirmTotp secret={secret} onDone={onDone} />
      )}
    </Dialog>
  );
}

function ConfirmTotp({
  secret: { uri, secret },
  onDone,
}: {
  secret: TotpSecret;
  onDone: (codes: readonly string[] | null) => void;
}) {
  const t = useSecurityText();
  const toast = useToast();
  const confirm = useSubmit(
    async ({ code = '' }: Fields) => {
      const { data } = await paydesk().auth.totp.confirm({ code: code.replaceAll(/\s/g, '') });
      return data.recovery_codes;
    },
    {
      onDone: (codes) => {
        toast.add({ title: t('totp.isOn') });
        onDone(codes);
      },
    },
  );
  return (
    <Form
      errors={confirm.errors}
      message={confirm.message}
      onSubmit={(fields) => void confirm.submit(fields as Fields)}
      actions={
        <Button type="submit" variant="primary" pending={confirm.isPending}>
          {t('totp.confirm')}
        </Button>
      }
    >
      <p>{t('totp.scan')}</p>
      <QrCode text={uri} label={t('totp.qr')} />
      <p className={styles.buttons}>
        <span className={styles.secret}>{secret}</span>
        <CopyButton text={secret} label={t('totp.copySecret')} copiedLabel={t('codes.copied')} />
      </p>
      <TextField
        label={t('code')}
        name="code"
        description={t('totp.codeDescription')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
      />
    </Form>
  );
}

/** Turns the app off, with the password and a code. */
export function TurnOffTotpDialog({ onClose, onDone }: Props & { onDone: () => void }) {
  const t = useSecurityText();
  const forms = useFormsText();
  const toast = useToast();
  const { submit, isPending, errors, message } = useSubmit(
    ({ code = '', ...fields }: Fields) => paydesk().auth.totp.disable({ ...passwordOf(fields), code: code.trim() }),
    {
      onDone: () => {
        toast.add({ title: t('totp.isOff') });
        onDone();
      },
    },
  );
  return (
    <Dialog open onClose={onClose} title={t('totp.turnOff')} closeLabel={forms('close')} size="small">
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit(fields as Fields)}
        actions={
          <Button type="submit" variant="danger" pending={isPending}>
            {t('totp.turnOff')}
          </Button>
        }
      >
        <p>{t('totp.turnOffDescription')}</p>
        <PasswordAgain />
        <TextField
          label={t('code')}
          name="code"
          description={t('anyCodeDescription')}
          autoComplete="one-time-code"
          required
        />
      </Form>
    </Dialog>
  );
}

/** Makes new recovery codes in place of the present ones. */
export function RenewCodesDialog({ onClose, onDone }: Props & { onDone: (codes: readonly string[]) => void }) {
  const t = useSecurityText();
  const forms = useFormsText();
  const { submit, isPending, errors, message } = useSubmit(
    async ({ code = '' }: Fields) => (await paydesk().auth.recoveryCodes.renew({ code: code.trim() })).data,
    { onDone: ({ recovery_codes: codes }) => onDone(codes) },
  );
  return (
    <Dialog open onClose={onClose} title={t('codes.renew')} closeLabel={forms('close')} size="small">
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit(fields as Fields)}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {t('codes.renew')}
          </Button>
        }
      >
        <p>{t('codes.renewDescription')}</p>
        <TextField
          label={t('code')}
          name="code"
          description={t('anyCodeDescription')}
          autoComplete="one-time-code"
          required
        />
      </Form>
    </Dialog>
  );
}
