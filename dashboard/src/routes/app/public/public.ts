import { appForgotPassword } from './forgot-password.tsx';
import { appInvitation } from './invitation.tsx';
import { appLogin } from './login.tsx';
import { appResetPassword } from './reset-password.tsx';
import { appRevertEmail } from './revert-email.tsx';
import { appSession } from './session.tsx';
import { appSignup } from './signup.tsx';
import { appVerifyEmail } from './verify-email.tsx';

/** The pages of /app for whoever is not logged in: the login, the sign-up, and those that links of mails open. */
export const appPublicRoutes = [
  appLogin,
  appSignup,
  appForgotPassword,
  appResetPassword,
  appVerifyEmail,
  appRevertEmail,
  appInvitation,
  appSession,
] as const;
