import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compress } from './scripts/compress.ts'

export default defineConfig(({ mode }) => ({
  root: 'client',
  publicDir: '../public',
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    target: 'es2022',
    // A font or picture inlined as `data:` would be refused by the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    minify: mode === 'production',
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  plugins: [
    // Its paths are relative to `root`.
    tanstackRouter({
      target: 'react',
      routesDirectory: './routes',
      generatedRouteTree: './routeTree.gen.ts',
      routeFileIgnorePattern: '\\.test\\.',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      semicolons: false,
      disableLogging: true,
    }),
    react(),
    compress(),
  ],
}))
