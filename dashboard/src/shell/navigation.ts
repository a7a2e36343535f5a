import type { LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { Permission } from '../api/may.ts';
import type { OperatorRole } from '../api/session.ts';
import type { messages } from './messages/en.ts';

/** A page in the navigation and in the command palette. */
export type NavigationPage = {
  to: NonNullable<LinkProps['to']>;
  /** Its text in the shell's catalogue. */
  text: keyof (typeof messages)['pages'];
  icon: LucideIcon;
  /** Without it, the page is not shown. */
  permission?: Permission;
  /** Of the operator's people and keys, who alone see the page. */
  role?: OperatorRole;
  /** Only who is logged in as a person has it: a customer session or a key has no profile. */
  isPersonal?: true;
};

export type NavigationGroup = { text: keyof (typeof messages)['groups'] | null; pages: NavigationPage[] };
