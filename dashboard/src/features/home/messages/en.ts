export const messages = {
  title: 'Home',
} as const;
