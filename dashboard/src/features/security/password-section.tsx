import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { PasswordAgain } from '../../forms/password-again.tsx';
import { PasswordInput } from '../../forms/password-input.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import styles from './security.module.css';
import { useSecurityText } from './text.ts';

/** The change of the password, which ends all other sessions. */
export function PasswordSection() {
  const t = useSecurityText();
  const toast = useToast();
  const [key, setKey] = useState(0);
  const { submit, isPending, errors, message } = useSubmit(
    async ({ current_password: current, new_password: next = '' }: Record<string, string>) => {
      await paydesk().auth.password.change({ new_password: next, ...(current ? { current_password: current } : {}) });
    },
    {
      onDone: () => {
        setKey(key + 1);
        toast.add({ title: t('password.done') });
      },
    },
  );
  return (
    <Card title={t('password.title')} description={t('password.description')}>
      <div className={styles.narrow}>
        <Form
          key={key}
          errors={errors}
          message={message}
          onSubmit={(fields) => void submit(fields as Record<string, string>)}
          actions={
            <Button type="submit" variant="primary" pending={isPending}>
              {t('password.submit')}
            </Button>
          }
        >
          <PasswordAgain name="current_password" label={t('password.current')} />
          <PasswordInput label={t('password.new')} name="new_password" isNew required />
        </Form>
      </div>
    </Card>
  );
}
