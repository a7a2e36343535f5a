export const messages = {
  title: 'Log in',
  consoleTitle: 'Log in to the console',
  email: 'Email',
  password: 'Password',
  submit: 'Log in',
  forgot: 'Forgot your password?',
  show: 'Show the password',
  hide: 'Hide the password',
  wrong: 'The e-mail or the password is wrong.',
} as const;
