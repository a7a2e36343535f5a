import type { SignInLink } from '@paydesk/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { PasswordAgain } from '../../forms/password-again.tsx';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { Rows } from './rows.tsx';
import styles from './security.module.css';
import { useSecurityText } from './text.ts';
import { passwordOf } from './totp-dialogs.tsx';

type Fields = Record<string, string>;

/** The accounts at sign-in providers that log in to this account. */
export function LinksSection() {
  const t = useSecurityText();
  const cache = useQueryClient();
  const query = useQuery({ queryKey: ['sign-in-links'], queryFn: () => paydesk().auth.links.list() });
  const [open, setOpen] = useState<'add' | SignInLink | null>(null);
  const close = () => setOpen(null);
  return (
    <Card
      title={t('links.title')}
      description={t('links.description')}
      actions={<Button onClick={() => setOpen('add')}>{t('links.add')}</Button>}
    >
      <Rows query={query} empty={t('links.empty')}>
        {(link) => (
          <li key={link.id} className={styles.item}>
            <div>
              <p className={styles.name}>{link.provider ?? new URL(link.issuer).host}</p>
              <p className={styles.fact}>
                {link.email === null ? null : `${link.email} · `}
                {t('added')} <Instant value={link.created_at} as="date" />
              </p>
            </div>
            <Button size="small" onClick={() => setOpen(link)}>
              {t('links.delete')}
            </Button>
          </li>
        )}
      </Rows>
      {open === 'add' ? <AddLinkDialog onClose={close} /> : null}
      {open !== null && open !== 'add' ? (
        <DeleteLinkDialog
          link={open}
          onClose={close}
          onDone={() => {
            close();
            void cache.invalidateQueries({ queryKey: ['sign-in-links'] });
          }}
        />
      ) : null}
    </Card>
  );
}

/** Goes to the provider, which leads back to this page. */
function AddLinkDialog({ onClose }: { onClose: () => void }) {
  const t = useSecurityText();
  const forms = useFormsText();
  const { submit, isPending, errors, message } = useSubmit(
    async ({ provider = '', ...fields }: Fields) => {
      const { data } = await paydesk().auth.links.create({ provider: provider.trim(), ...passwordOf(fields) });
      location.assign(`${data.url}&return_to=${encodeURIComponent(location.pathname)}`);
    },
    { texts: { not_found: t('links.unknown') } },
  );
  return (
    <Dialog open onClose={onClose} title={t('links.add')} closeLabel={forms('close')} size="small">
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit(fields as Fields)}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {t('goOn')}
          </Button>
        }
      >
        <TextField
          label={t('links.provider')}
          name="provider"
          description={t('links.providerDescription')}
          autoCapitalize="none"
          required
        />
        <PasswordAgain />
      </Form>
    </Dialog>
  );
}

function DeleteLinkDialog({ link, onClose, onDone }: { link: SignInLink; onClose: () => void; onDone: () => void }) {
  const t = useSecurityText();
  const forms = useFormsText();
  const { submit, isPending, errors, message } = useSubmit(
    (fields: Fields) => paydesk().auth.links.delete(link.id, passwordOf(fields)),
    { onDone },
  );
  return (
    <Dialog open onClose={onClose} title={t('links.delete')} closeLabel={forms('close')} size="small">
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit(fields as Fields)}
        actions={
          <Button type="submit" variant="danger" pending={isPending}>
            {t('links.delete')}
          </Button>
        }
      >
        <p>{t('links.deleteDescription', { provider: link.provider ?? new URL(link.issuer).host })}</p>
        <PasswordAgain />
      </Form>
    </Dialog>
  );
}
