import type { OpenInvitation } from '@paydesk/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { createClient, createClientForOpener, enter, logOut, rememberKind, useSession } from '../../api/session.ts';
import { PasswordInput } from '../../forms/password-input.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { linkSecrets } from '../../shell/fragment.ts';
import { PublicPage } from '../../shell/public-page.tsx';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { FieldRow, Form } from '../../ui/form/form.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { LinkProblem } from './link-problem.tsx';
import { useAccountsText } from './text.ts';
import { useLink } from './use-link.ts';

type Invitation = OpenInvitation['data'];

/** Accepts an invitation to a company or to the operator's staff, by the link of its mail. */
export function InvitationPage() {
  const t = useAccountsText();
  const { answer, failure } = useLink('invitation', 'token', async (token) => {
    const { data } = await createClient('cookie').auth.invitations.get(token);
    return data;
  });
  if (failure !== null) {
    return (
      <PublicPage title={t('invitation.failed')} below={<Link to="/app/login">{t('backToLogin')}</Link>}>
        <LinkProblem text={failure.message} />
      </PublicPage>
    );
  }
  if (answer === undefined) {
    return (
      <PublicPage title={t('invitation.pending')}>
        <Skeleton lines={3} />
      </PublicPage>
    );
  }
  return <OpenInvitationPage invitation={answer} />;
}

function OpenInvitationPage({ invitation }: { invitation: Invitation }) {
  const t = useAccountsText();
  const { company, invited_by: inviter, role, email, staff: isStaff } = invitation;
  const title = isStaff
    ? t('invitation.joinStaff')
    : company.name === ''
      ? t('invitation.joinNameless', { inviter: inviter.name })
      : t('invitation.join', { company: company.name });
  return (
    <PublicPage
      title={title}
      description={t(isStaff ? 'invitation.staffDescription' : 'invitation.description', {
        inviter: inviter.name,
        role: role.name,
        email,
      })}
    >
      <Acceptance invitation={invitation} isStaff={isStaff} />
    </PublicPage>
  );
}

function Acceptance({ invitation: { email }, isStaff }: { invitation: Invitation; isStaff: boolean }) {
  const t = useAccountsText();
  const session = useSession();
  const { submit, isPending, errors, message, code } = useAccept(isStaff);
  const user = session?.user ?? null;
  if (user !== null && user.email.toLowerCase() !== email.toLowerCase()) {
    return (
      <LinkProblem text={t('invitation.otherAccount', { email: user.email })}>
        <Button onClick={() => void logOut('/app/login')}>{t('invitation.logOut')}</Button>
      </LinkProblem>
    );
  }
  return (
    <Form
      errors={errors}
      message={message}
      onSubmit={(fields) => void submit(user === null ? (fields as Record<string, string>) : {})}
      actions={
        <>
          <Button type="submit" variant="primary" pending={isPending}>
            {t('invitation.submit')}
          </Button>
          {code === 'email_taken' ? (
            <Link to="/app/login" search={{ return_to: '/app/invitation' }} className={buttonClass()}>
              {t('logIn')}
            </Link>
          ) : null}
        </>
      }
    >
      {user !== null ? null : (
        <>
          <FieldRow>
            <TextField label={t('firstName')} name="first_name" autoComplete="given-name" required />
            <TextField label={t('lastName')} name="last_name" autoComplete="family-name" required />
          </FieldRow>
          <PasswordInput label={t('password')} name="password" isNew required />
        </>
      )}
    </Form>
  );
}

function useAccept(isStaff: boolean) {
  const t = useAccountsText();
  const navigate = useNavigate();
  return useSubmit(
    async (fields: Record<string, string>) => {
      const kind = isStaff ? 'console' : 'cookie';
      const client = createClientForOpener(kind);
      const { data } = await client.auth.invitations.accept({ token: linkSecrets().token ?? '', ...fields });
      if (isStaff) rememberKind('console');
      const path = await enter(client, data, 'app', '/app');
      if (path !== null) await navigate({ href: path, replace: true });
    },
    { texts: { email_taken: t('invitation.emailTaken'), permission_not_held: t('invitation.notHeld') } },
  );
}
