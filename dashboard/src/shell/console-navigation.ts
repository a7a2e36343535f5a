import {
  Bell,
  BookOpen,
  Building2,
  CalendarClock,
  ChartColumn,
  CircleDollarSign,
  FileMinus,
  FileText,
  Gavel,
  GitCompareArrows,
  House,
  KeyRound,
  LifeBuoy,
  ListChecks,
  Mail,
  Radio,
  Scale,
  ScrollText,
  ShieldCheck,
  Store,
  Tag,
  Undo2,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import type { NavigationGroup } from './navigation.ts';

/** The pages of /console, in the order of the sidebar. */
export const CONSOLE_NAVIGATION: NavigationGroup[] = [
  {
    text: null,
    pages: [
      { to: '/console', text: 'home', icon: House },
      { to: '/console/companies', text: 'companies', icon: Building2 },
    ],
  },
  {
    text: 'money',
    pages: [
      { to: '/console/invoices', text: 'invoices', icon: FileText },
      { to: '/console/payments', text: 'payments', icon: CircleDollarSign },
      { to: '/console/refunds', text: 'refunds', icon: Undo2 },
      { to: '/console/credit-notes', text: 'creditNotes', icon: FileMinus },
      { to: '/console/disputes', text: 'disputes', icon: Gavel },
    ],
  },
  {
    text: 'billing',
    pages: [
      { to: '/console/prices', text: 'prices', icon: Tag },
      { to: '/console/usage', text: 'usage', icon: ChartColumn },
      { to: '/console/billing-runs', text: 'billingRuns', icon: CalendarClock },
    ],
  },
  {
    text: 'books',
    pages: [
      { to: '/console/ledger', text: 'ledger', icon: BookOpen },
      { to: '/console/balances', text: 'balances', icon: Scale },
      { to: '/console/reconciliation', text: 'reconciliation', icon: GitCompareArrows },
    ],
  },
  {
    text: 'operations',
    pages: [
      { to: '/console/alerts', text: 'alerts', icon: Bell },
      { to: '/console/jobs', text: 'jobs', icon: ListChecks },
      { to: '/console/events', text: 'events', icon: Radio },
      { to: '/console/webhooks', text: 'webhooks', icon: Webhook },
      { to: '/console/emails', text: 'emails', icon: Mail },
      { to: '/console/recovery', text: 'recovery', icon: LifeBuoy },
      { to: '/console/staff', text: 'staff', icon: Users, role: 'admin' },
      { to: '/console/keys', text: 'keys', icon: KeyRound, role: 'admin' },
      { to: '/console/seller', text: 'seller', icon: Store },
      { to: '/console/audit-log', text: 'auditLog', icon: ScrollText },
    ],
  },
  {
    text: 'account',
    pages: [
      { to: '/console/profile', text: 'profile', icon: UserRound },
      { to: '/console/security', text: 'security', icon: ShieldCheck },
    ],
  },
];
