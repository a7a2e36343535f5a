import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

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
    },
  },
});
