import { CSPProvider } from '@base-ui/react/csp-provider';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../../src/styles/base.css';
import { Gallery } from '../../src/ui/gallery/gallery.tsx';
import { ToastProvider } from '../../src/ui/toast/toast.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <ToastProvider>
        <Gallery />
      </ToastProvider>
    </CSPProvider>
  </StrictMode>,
);
