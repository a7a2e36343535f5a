import { House } from 'lucide-react';
import type { NavigationGroup } from './navigation.ts';

/** The pages of /console, in the order of the sidebar. */
export const CONSOLE_NAVIGATION: NavigationGroup[] = [
  { text: null, pages: [{ to: '/console', text: 'home', icon: House }] },
];
