import type { Label } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { useLabelsText } from './text.ts';

/** Deletes a label after its name was typed. */
export function DeleteLabel({ label: { id, name } }: { label: Label }) {
  const t = useLabelsText();
  const forms = useFormsText();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const { submit, isPending, message } = useSubmit(
    (_: undefined, options) => paydesk().labels.delete({ label_ids: [id] }, options),
    {
      onDone: () => {
        setIsOpen(false);
        void queries.invalidateQueries({ queryKey: ['labels'] });
      },
    },
  );
  return (
    <>
      <Button size="small" variant="quiet" onClick={() => setIsOpen(true)} aria-label={`${t('delete')}: ${name}`}>
        {t('delete')}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('delete')}
        confirmLabel={t('delete')}
        cancelLabel={forms('cancel')}
        closeLabel={forms('close')}
        tone="danger"
        pending={isPending}
        error={message}
        typeToConfirm={{ label: t('typeName'), text: name.trim() }}
        onConfirm={() => void submit(undefined)}
      >
        <p>
          <strong>{name}</strong>. {t('deleteText')}
        </p>
      </ConfirmDialog>
    </>
  );
}
