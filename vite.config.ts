import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { compress } from './scripts/compress.ts'

/** Too heavy for everyone's first visit: kept when they are first used. */
const heavyParts = ['maker', 'engine', 'tone', 'waveform']

/**
 * Blockers judge a script by its name: one called after the video platform may never arrive, and with it whatever imports
 * it. So parts are called by their content alone; the manifest says which is which.
 */
const partName = ({ name = '' }: { name?: string }) => (heavyParts.includes(name) ? 'assets/[name]-[hash].js' : 'assets/part-[hash].js')

/** Without the program of the database, and what comes with it, which the page fetches later. */
const isDatabase = (id: string) => /\/client\/data\/(?:db|open-store|row-shapes|song-texts)\.ts/.test(id)

/** What the entry itself needs. */
const isEntryPart = (id: string) => /vite\/preload-helper|\/next-task\.ts/.test(id)

/** The framework, which is evaluated in a task of its own. */
const isReact = (id: string) => /\/node_modules\/(?:react|react-dom|scheduler)\//.test(id)

/** Of the same folders, what only some pages need. */
const isLater = (id: string) =>
  /\/app\/writes\.ts|\/data\/(?:eviction|keeper-work|make-history|outbox)\.ts|\/youtube-video\.ts|\/ui\/(?:global\.css|field|menu|slider|linkify|rate-ruler)|\/(?:host-landing|install-steps|not-open)\.tsx|\.woff2/.test(
    id,
  ) ||
  /\/contract\/(?:caches|locked|received-file)\.ts|\/platform\/(?:firebase-auth|received-files|save-file|token-sync|unique-id)\.ts|\/bindings\/(?:account|discord|your-data|return-to)\.ts/.test(
    id,
  )

/** What the start of every page imports: the router, and the page's own parts below its features. */
const isBase = (id: string) =>
  /\/node_modules\/(?:use-sync-external-store|@tanstack\/(?:react-router|router-core|history|store|react-store))\//.test(id) ||
  (/\/client\/(?:ui|bindings|platform|player|data|app|features\/(?:shell|update|install))\/|\/contract\//.test(id) &&
    !isDatabase(id) &&
    !isLater(id))

export default defineConfig(({ mode, isSsrBuild }) => ({
  root: 'client',
  publicDir: '../public',
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    target: 'es2022',
    // A font or picture inlined as `data:` would be refused by the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Tells the server which chunks and style sheets an address needs.
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    minify: mode === 'production',
    rolldownOptions: {
      checks: { pluginTimings: false },
      // What every page needs is one file: dozens of small ones pack a tenth worse.
      ...(!isSsrBuild && {
        output: {
          codeSplitting: {
            groups: [
              { name: 'steps', test: isEntryPart },
              { name: 'react', test: isReact },
              { name: 'base', test: isBase },
            ],
          },
          chunkFileNames: partName,
          assetFileNames: ({ names }) =>
            names.some((name) => name.endsWith('.css')) ? 'assets/part-[hash][extname]' : 'assets/[name]-[hash][extname]',
        },
      }),
    },
  },
  // The first paint is rendered by one file that needs no package.
  ...(isSsrBuild && { ssr: { noExternal: true } }),
  // The same library for the browsers that `target` names: a sixth smaller.
  resolve: { alias: { dexie: 'dexie/dist/modern/dexie.mjs' } },
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
    // It leaves builds for the server alone by itself. Manifests differ by host, so the server makes them.
    VitePWA({
      strategies: 'injectManifest',
      srcDir: '../sw',
      filename: 'sw.ts',
      injectRegister: false,
      manifest: false,
      injectManifest: {
        globPatterns: ['assets/**/*.{js,css,woff2}'],
        globIgnores: [`assets/{${heavyParts.join(',')}}-*`],
        rollupFormat: 'iife',
      },
    }),
    ...(isSsrBuild ? [] : [compress()]),
  ],
}))
