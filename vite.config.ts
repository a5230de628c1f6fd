import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { ON_DEMAND_REVISION } from './contract/caches.ts'
import { createAacEncoderModule } from './scripts/aac-encoder.ts'
import { createCompressPlugin } from './scripts/compress.ts'
import { createModuleSizes } from './scripts/module-sizes.ts'
import { onDemandPatterns, trackOnDemandFiles } from './scripts/on-demand-precache.ts'
import { createProgramPack } from './scripts/program-pack.ts'
import { createStartChunks } from './scripts/start-chunks.ts'

const onDemandFiles = trackOnDemandFiles(onDemandPatterns)
const startChunkGroups = createStartChunks()
const packPlugin = createProgramPack()

/**
 * The modules that several pages share, but that not every page loads at its start. They are grouped into few chunks, because small files
 * compress worse.
 */
const sharedChunkGroups = [
  // The media session, which the radio starts with, and which the player loads when its page is shown.
  { name: 'media-session', test: /\/client\/player\/(?:media-session|player-media-session|silent-loop)\./ },
  // The modules that the radio shares with the player, and the controls of both.
  {
    name: 'playback',
    test: /\/client\/(?:player\/(?:sleep-timer|playback|tab-sync|video-adapter|volume-control|youtube-)|ui\/(?:action-bar|share-actions|sleep-action|volume-control)\.(?:tsx|module\.css))/,
  },
  // Small modules that the home page and the song page share: those of song rows in lists and in the queue, and the one that waits until an element
  // is near the viewport.
  { name: 'row-parts', test: /\/client\/ui\/(?:playing-indicator|lazy-menu|menu-trigger|near-viewport)\./ },
  // The lists of songs, with which the pages of playlists and of the search start.
  { name: 'song-list', test: /\/client\/components\/(?:song-(?:list|row|lengths)|use-row-props)\./ },
  {
    name: 'playlist-buttons',
    test: /\/client\/(?:components\/(?:arranged-songs|playlist-toggle-button|pin-playlist-button)|data\/pinned-size|features\/own-playlists\/lazy-playlist-parts)\./,
  },
  // The card of a playlist, which the page of a playlist shows without the grid.
  { name: 'playlist-card', test: /\/client\/components\/playlist-card\./ },
  // The parts that the home page shares with the page of all playlists or with the parts of itself that are loaded later.
  {
    name: 'playlist-grid',
    test: /\/client\/(?:components\/(?:playlist-grid|showcase)|features\/catalogue\/community-section\.module)\./,
  },
  // The modules that every page with a search, a sort order or a filter starts with.
  {
    name: 'search-parts',
    test: /\/(?:contract\/fold-text|client\/components\/sort-select|client\/features\/catalogue\/matching-artists-and-playlists\.module)\./,
  },
  // The log of plays, which the play history and the review of the year share.
  { name: 'play-log', test: /\/client\/(?:data\/(?:recent-plays|listening)|player\/play-log\/)/ },
  { name: 'recent-frame', test: /\/client\/features\/recent\/(?:recent-frame|recent\.module)\./ },
  // The player with its deck and its queue: the song page loads them at its start, and other pages load them when the first song is played.
  {
    name: 'player',
    test: /\/client\/(?:player\/(?!radio\/|edits\/|play-log\/|endless|embedded-video)|features\/player\/(?:song-page-player|queue-(?!sheet-panel|row-menu)|scrubber|transport|song-queue))/,
  },
  // A group also contains the modules that its modules import. This group comes first, so that the drawing, which other pages show as well, is not
  // part of the group `radio`.
  { name: 'spinning-record', test: /\/client\/ui\/spinning-record\./ },
  // The shortcut keys of the site's player and of the radio. In the chunk of the radio, every page would load the radio for its player's keys.
  { name: 'shortcut-keys', test: /\/client\/(?:ui\/use-shortcut-keys|hooks\/shortcuts)\./ },
  // The radio's page and its player. Its widgets and its dock are chunks of their own.
  {
    name: 'radio',
    test: /\/client\/(?:player\/radio\/(?!page-radio)|features\/radio\/(?!radio-(?:dock|layer|section|widget)|return-to-radio-link|use-widget-radio))/,
  },
]

/**
 * Ad blockers match scripts by name: a chunk named after the video platform may be blocked, and with it every module that imports the chunk.
 * So a chunk's name is a hash alone; the manifest maps sources to chunks.
 */
const CHUNK_NAME = 'assets/part-[hash].js'

/**
 * Returns the name of a style sheet's class in the build: by default it also has the number of its line, which compresses badly. All classes of a file share
 * a hash.
 */
function createScopedClassName(className: string, filePath: string): string {
  const path = relative(fileURLToPath(new URL('.', import.meta.url)), filePath.replace(/\?.*/, ''))
  return `${className}_${createHash('sha1').update(path).digest('hex').slice(0, 5)}`
}

export default defineConfig(({ mode, isSsrBuild }) => ({
  root: 'client',
  publicDir: '../public',
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    target: 'es2022',
    // No asset is inlined as a `data:` URL, which the Content-Security-Policy would refuse.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files) => files.filter((file) => !startChunkGroups.isStartFile(file)),
    },
    // The server reads from the manifest which chunks and style sheets an address needs.
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    minify: mode === 'production',
    rolldownOptions: {
      checks: { pluginTimings: false },
      // The start of every page is grouped into a few chunks: dozens of small files compress a tenth worse.
      ...(!isSsrBuild && {
        output: {
          codeSplitting: { groups: [...startChunkGroups.groups, ...sharedChunkGroups] },
          // Base64 hashes contain '-' and '_', which could delimit a word that blockers look for.
          hashCharacters: 'base36',
          chunkFileNames: CHUNK_NAME,
          assetFileNames: ({ names }) =>
            names.some((name) => name.endsWith('.css')) ? 'assets/part-[hash][extname]' : 'assets/[name]-[hash][extname]',
        },
      }),
    },
  },
  css: { modules: { generateScopedName: createScopedClassName } },
  // The server's render program is one file without external packages.
  ...(isSsrBuild && { ssr: { noExternal: true } }),
  worker: {
    format: 'es',
    plugins: () => [createAacEncoderModule()],
    rolldownOptions: { output: { hashCharacters: 'base36', entryFileNames: 'assets/[name]-[hash].js' } },
  },
  resolve: {
    alias: {
      // Dexie's build for the browsers of `target` is a sixth smaller than its default.
      dexie: 'dexie/dist/modern/dexie.mjs',
      // The shim of useSyncExternalStore is replaced by React's own function, which exists since version 18.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  plugins: [
    // The router plugin's paths are relative to `root`.
    tanstackRouter({
      target: 'react',
      routesDirectory: './routes',
      generatedRouteTree: './routeTree.gen.ts',
      routeFileIgnorePattern: '\\.test\\.',
      autoCodeSplitting: true,
      // The page of a shared playlist is that of a playlist: a chunk of its own would share most of its modules.
      codeSplittingOptions: { splitBehavior: ({ routeId }) => (routeId === '/list' ? [] : undefined) },
      quoteStyle: 'single',
      semicolons: false,
      disableLogging: true,
    }),
    react(),
    // The PWA plugin skips server builds by itself. The server writes the web app manifest, which differs by host.
    VitePWA({
      strategies: 'injectManifest',
      srcDir: '../sw',
      filename: 'sw.ts',
      injectRegister: false,
      manifest: false,
      injectManifest: {
        globPatterns: ['assets/**/*.{js,css,woff2,wasm}'],
        manifestTransforms: [
          async (entries) => ({
            manifest: entries.map((entry) => (onDemandFiles.has(entry.url) ? { ...entry, revision: ON_DEMAND_REVISION } : entry)),
          }),
          async (entries) => ({ manifest: await packPlugin.addTo(entries) }),
        ],
        rollupFormat: 'iife',
      },
    }),
    ...(isSsrBuild ? [] : [startChunkGroups.plugin, createModuleSizes(), onDemandFiles.plugin, packPlugin.plugin, createCompressPlugin()]),
  ],
}))
