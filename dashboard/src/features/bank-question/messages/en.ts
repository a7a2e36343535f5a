export const messages = {
  title: 'Confirm with your bank',
  sandbox:
    'The sandbox stands for your bank: where a real gateway is set up, the bank’s own page or app asks here whether it is you.',
  confirm: 'Confirm',
  refuse: 'Refuse',
} as const;
