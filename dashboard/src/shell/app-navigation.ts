import {
  ChartColumn,
  CreditCard,
  FileText,
  House,
  KeyRound,
  Mail,
  ReceiptText,
  ScrollText,
  Settings,
  ShieldCheck,
  Tag,
  UserCog,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import type { NavigationGroup } from './navigation.ts';

/** The pages of /app, in the order of the sidebar. */
export const APP_NAVIGATION: NavigationGroup[] = [
  {
    text: null,
    pages: [
      { to: '/app', text: 'home', icon: House },
      { to: '/app/invoices', text: 'invoices', icon: FileText, permission: 'platform.billing.view' },
      { to: '/app/payment-methods', text: 'paymentMethods', icon: CreditCard, permission: 'platform.billing.view' },
      {
        to: '/app/billing-information',
        text: 'billingInformation',
        icon: ReceiptText,
        permission: 'platform.billing.view',
      },
      { to: '/app/mail-settings', text: 'mailSettings', icon: Mail, permission: 'platform.billing.view' },
      { to: '/app/usage', text: 'usage', icon: ChartColumn, permission: 'platform.billing.view' },
    ],
  },
  {
    text: 'company',
    pages: [
      { to: '/app/team', text: 'team', icon: Users, permission: 'platform.admins.view' },
      { to: '/app/roles', text: 'roles', icon: UserCog, permission: 'platform.roles.view' },
      { to: '/app/labels', text: 'labels', icon: Tag, permission: 'application.labels.view' },
      { to: '/app/audit-log', text: 'auditLog', icon: ScrollText, permission: 'platform.admins.view' },
      { to: '/app/settings', text: 'settings', icon: Settings, permission: 'platform.admins.view' },
    ],
  },
  {
    text: 'developers',
    pages: [
      { to: '/app/api-keys', text: 'apiKeys', icon: KeyRound, permission: 'platform.applications.view' },
      { to: '/app/webhooks', text: 'webhooks', icon: Webhook, permission: 'platform.applications.view' },
    ],
  },
  {
    text: 'account',
    pages: [
      { to: '/app/profile', text: 'profile', icon: UserRound, isPersonal: true },
      { to: '/app/security', text: 'security', icon: ShieldCheck, isPersonal: true },
    ],
  },
];
