import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Packages and sources, but no catalogue: a page loads the texts of one language. */
const SHARED = /node_modules|dashboard[\\/]src[\\/](?!.*messages)|packages[\\/]client/;

/** Two apps of one code base: `app.html` at /app, and `console.html` at /console. They share the assets under /app/assets. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react()],
  publicDir: false,
  resolve: {
    alias: { '@paydesk/client': join(import.meta.dirname, '../packages/client/src/index.ts') },
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: 'dist',
    target: 'es2022',
    // A data: URL in a style or script would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { app: join(import.meta.dirname, 'app.html'), console: join(import.meta.dirname, 'console.html') },
      // In one file, what so many pages share is compressed to 20 kB less than in fifty, and comes with one request.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 36, test: SHARED }] } },
    },
  },
});
