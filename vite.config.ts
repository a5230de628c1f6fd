import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { compress } from './scripts/compress.ts'
import { laterParts } from './scripts/later-parts.ts'

/** Too heavy for everyone's first visit: the worker keeps it once the maker was opened (`LATER` in `sw/later-parts.ts`). */
const makerParts = laterParts('/routes/account.maker.tsx?tsr-split=component', '/client/engine/create-engine.ts')

/**
 * Blockers judge a script by its name: one called after the video platform may never arrive, and with it whatever imports
 * it. So parts are called by their content alone; the manifest says which is which.
 */
const PART_NAME = 'assets/part-[hash].js'

/** Without the program of the database, and what comes with it, which the page fetches later. */
const isDatabase = (id: string) => /\/client\/data\/(?:db|open-store|row-shapes|song-texts)\.ts/.test(id)

/** What the entry itself needs. */
const isEntryPart = (id: string) => /vite\/preload-helper|\/next-task\.ts/.test(id)

/** The framework, which is evaluated in a task of its own. */
const isReact = (id: string) => /\/node_modules\/(?:react|react-dom|scheduler)\//.test(id)

/** Of the same folders, what only some pages need. */
const laterModules = [
  /\/app\/(?:host-landing|writes)\.tsx?/,
  /\/bindings\/(?:account|discord|entitlement|favorite-list|intro-video|keep|keep-maker|maker[^/]*|make-history|play-favorites|received-file|report-song|return-to|save-text|storage|unsent|your-data)\.ts/,
  /\/contract\/(?:caches|favorite-limits|locked|received-file)\.ts/,
  /\/data\/(?:eviction|favorite-sync|favorites|keeper-work|kept-size|make-history|outbox)\.ts/,
  /\/features\/(?:install\/install-steps|shell\/(?:mobile-menu|sign-out-dialog))\./,
  /\/platform\/(?:background-sync|device-space|firebase-auth|keep-maker|received-files|save-file|token-sync|unique-id|worker-care)\.ts/,
  /\/player\/youtube-video\.ts/,
  /\/ui\/(?:global\.css|field|menu|slider|linkify|rate-ruler)/,
  /\.woff2/,
]
const isLater = (id: string) => laterModules.some((pattern) => pattern.test(id))

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
          // Not the marks '-' and '_', between which chance could write a word that blockers look for.
          hashCharacters: 'base36',
          chunkFileNames: PART_NAME,
          assetFileNames: ({ names }) =>
            names.some((name) => name.endsWith('.css')) ? 'assets/part-[hash][extname]' : 'assets/[name]-[hash][extname]',
        },
      }),
    },
  },
  // The first paint is rendered by one file that needs no package.
  ...(isSsrBuild && { ssr: { noExternal: true } }),
  worker: { format: 'es', rolldownOptions: { output: { hashCharacters: 'base36', entryFileNames: 'assets/[name]-[hash].js' } } },
  resolve: {
    alias: {
      // The same library for the browsers that `target` names: a sixth smaller.
      dexie: 'dexie/dist/modern/dexie.mjs',
      // React has had what the shim makes up for since 18.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
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
    // It leaves builds for the server alone by itself. Manifests differ by host, so the server makes them.
    VitePWA({
      strategies: 'injectManifest',
      srcDir: '../sw',
      filename: 'sw.ts',
      injectRegister: false,
      manifest: false,
      injectManifest: {
        globPatterns: ['assets/**/*.{js,css,woff2,wasm}'],
        manifestTransforms: [
          async (entries) => ({ manifest: entries.map((entry) => (makerParts.has(entry.url) ? { ...entry, revision: 'later' } : entry)) }),
        ],
        rollupFormat: 'iife',
      },
    }),
    ...(isSsrBuild ? [] : [makerParts.plugin, compress()]),
  ],
}))
