import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../ui/dialog/confirm-dialog.tsx';
import { useFormsText } from './text.ts';
import { useSubmit } from './use-submit.ts';

type Props = {
  open: boolean;
  onClose: () => void;
  /** What the dialog does: its heading and its button. */
  title: string;
  /** What has to be typed, and how that is asked for. */
  typeToConfirm: { label: string; text: string };
  remove: (options: { idempotencyKey: string }) => Promise<unknown>;
  /** The list that has the record. */
  queryKey: QueryKey;
  /** What the deletion means. */
  children: ReactNode;
};

/** Deletes a record for good, after its name was typed. */
export function DeleteDialog({ open, onClose, title, typeToConfirm, remove, queryKey, children }: Props) {
  const forms = useFormsText();
  const queries = useQueryClient();
  const { submit, isPending, message } = useSubmit((_: undefined, options) => remove(options), {
    onDone: () => {
      onClose();
      void queries.invalidateQueries({ queryKey });
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={title}
      confirmLabel={title}
      cancelLabel={forms('cancel')}
      closeLabel={forms('close')}
      tone="danger"
      pending={isPending}
      error={message}
      typeToConfirm={typeToConfirm}
      onConfirm={() => void submit(undefined)}
    >
      {children}
    </ConfirmDialog>
  );
}
