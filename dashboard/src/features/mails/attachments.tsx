import type { Mail } from '@paydesk/client';
import { Download } from 'lucide-react';
import { paydesk } from '../../api/session.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { saveFile } from '../../lists/save-file.ts';
import { Button } from '../../ui/button/button.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import styles from './mails.module.css';
import { useMailsText } from './text.ts';

type File = { index: number; name: string; contentType: string };

/** The files of a mail, which are drawn when they are asked for. */
export function Attachments({ mail: { id, attachments, text } }: { mail: Mail }) {
  const t = useMailsText();
  const toast = useToast();
  const { submit, isPending } = useSubmit(
    async ({ index, name, contentType }: File) => {
      const content = await paydesk().operator.mails.attachments(id, String(index));
      saveFile(new Blob([content], { type: contentType }), name);
    },
    { onFailure: ({ message }) => void toast.add({ title: t('notLoaded'), description: message, tone: 'danger' }) },
  );
  if (attachments.length === 0) return null;
  return (
    <ul className={styles.files} aria-label={t('attachments')}>
      {attachments.map(({ name, contentType }, index) => (
        <li key={name}>
          <Button
            size="small"
            icon={<Download aria-hidden="true" />}
            pending={isPending}
            disabledReason={text === null ? t('expired') : undefined}
            onClick={() => void submit({ index, name, contentType })}
          >
            {t('download', { name })}
          </Button>
        </li>
      ))}
    </ul>
  );
}
