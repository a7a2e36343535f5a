import type { OperatorKey } from '@paydesk/client';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { DeleteDialog } from '../../forms/delete-dialog.tsx';
import { Button } from '../../ui/button/button.tsx';
import { useOperatorKeysText } from './text.ts';

/** Deletes a key after its name was typed. */
export function DeleteKey({ operatorKey: { id, name } }: { operatorKey: OperatorKey }) {
  const t = useOperatorKeysText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" variant="quiet" onClick={() => setIsOpen(true)} aria-label={`${t('delete')}: ${name}`}>
        {t('delete')}
      </Button>
      <DeleteDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('delete')}
        typeToConfirm={{ label: t('typeName'), text: name }}
        remove={(options) => paydesk().operator.keys.delete(id, options)}
        queryKey={['operator-keys']}
      >
        <p>
          <strong>{name}</strong>. {t('deleteText')}
        </p>
      </DeleteDialog>
    </>
  );
}
