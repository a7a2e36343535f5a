import type { Mail } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { TextArea } from '../../ui/text-field/text-area.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useMailsText } from './text.ts';

/** Sends a mail about money again, to its recipients or to others. */
export function ResendMail({ mail, onResent }: { mail: Mail; onResent: (id: string) => void }) {
  const t = useMailsText();
  const reason = useLacksRole('finance');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        icon={<Send aria-hidden="true" />}
        disabledReason={reason ?? (mail.text === null ? t('expired') : undefined)}
        onClick={() => setIsOpen(true)}
      >
        {t('resend')}
      </Button>
      {isOpen ? <ResendDialog mail={mail} onResent={onResent} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

type DialogProps = { mail: Mail; onResent: (id: string) => void; onClose: () => void };

function ResendDialog({ mail: { id, subject, to, attachments }, onResent, onClose }: DialogProps) {
  const t = useMailsText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(to.join('\n'));
  const recipients = typed.match(/[^\s,;]+/g) ?? [];
  const { submit, isPending, errors, message } = useSubmit(
    (addresses: string[], options) => paydesk().operator.mails.resend(id, { to: addresses }, options),
    {
      texts: { mail_expired: t('expired') },
      onDone: (sent) => {
        toast.add({ title: t('resent', { recipients: sent.to.join(', ') }) });
        for (const name of ['mails', 'mails-of']) void queries.invalidateQueries({ queryKey: [name] });
        onClose();
        onResent(sent.id);
      },
    },
  );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('resendTitle', { subject })}
      confirmLabel={t('resend')}
      cancelLabel={forms('cancel')}
      closeLabel={forms('close')}
      pending={isPending}
      error={message}
      onConfirm={() => void submit(recipients)}
    >
      <p>
        {t('resendText', { count: recipients.length })} {attachments.length === 0 ? null : t('drawnAnew')}
      </p>
      <TextArea
        label={t('recipients')}
        description={t('recipientsText')}
        value={typed}
        onChange={setTyped}
        error={Object.values(errors)[0]}
        rows={3}
      />
    </ConfirmDialog>
  );
}
