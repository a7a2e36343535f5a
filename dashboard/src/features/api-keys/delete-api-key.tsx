import type { ApiKey } from '@paydesk/client';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { DeleteDialog } from '../../forms/delete-dialog.tsx';
import { Button } from '../../ui/button/button.tsx';
import { useApiKeysText } from './text.ts';

/** Deletes a key after its name was typed. */
export function DeleteApiKey({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const t = useApiKeysText();
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
        remove={(options) => paydesk().company.apiKeys.delete(id, options)}
        queryKey={['api-keys']}
      >
        <p>
          <strong>{name}</strong>. {t('deleteText')}
        </p>
      </DeleteDialog>
    </>
  );
}
