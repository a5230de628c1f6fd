import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type AppDeps, buildApp } from './app.ts'
import { readConfig } from './config.ts'
import type { Lifecycle } from './http/lifecycle.ts'
import { createLog } from './services/log.ts'
import { PictureFetchError } from './services/picture-fetch.ts'
import { openStorage } from './storage/open.ts'
import type { Storage } from './storage/storage.ts'

/** A few rows of every kind for tests: two categories, an accent, and texts that try to be markup. */
export const testCatalogue = {
  playlists: [
    {
      ...{ id: 'night-drive', title: 'Night Drive', category_id: 'nightcore', category_name: 'Nightcore', home: true },
      ...{ description: 'For empty roads.', songs: ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3'] },
    },
    {
      ...{ id: 'empty', title: '</script><script>alert(1)</script>', category_id: 'rock', category_name: 'Rock' },
      ...{ description: '"><img src=x onerror=alert(1)>', songs: [] },
    },
  ],
  songs: [
    ['AAAAAAAAAA1', 'Café del Mar', 'Élan', 'nightcore', 'Nightcore', 'The first.\nhttps://example.com'],
    ['AAAAAAAAAA2', 'Second Sun', 'Élan', 'nightcore', 'Nightcore', ''],
    ['AAAAAAAAAA3', '</title><script>alert(1)</script>', 'A & "B"', 'nightcore', 'Nightcore', '</script><b>bold</b>\u2028'],
    ['BBBBBBBBBB1', 'Stone', 'Rocker', 'rock', 'Rock', ''],
  ].map(([youtube_id, title, author_name, category_id, category_name, description], index) => ({
    ...{ youtube_id, title, author_name, category_id, category_name, description },
    ...{ date_added: `2026-01-0${index + 1}T00:00:00Z`, duration: 200 + index, author_channel_id: `UC${index}` },
  })),
  members: [{ channel_id: 'UC0', channel_name: 'Élan', sub_tag: '10K', testimonial: 'It is fine.', subs: 10_000, views: 5 }],
  supporters: [{ domain_name: 'aria', name: 'Aria' }],
  feed: [{ title: 'Hello', content: '<p>Hi</p><script>alert(1)</script>', date: '2026-01-05' }],
}

const TEMPLATE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <!--head-->
    <script type="module" crossorigin src="/assets/index-1.js"></script>
  </head>
  <body><div id="root"><!--page--></div></body>
</html>
`

export interface TestApp {
  app: FastifyInstance
  storage: Storage
  dataDir: string
  /** What was logged so far. */
  logged: () => string
  lifecycle: Lifecycle
  close: () => Promise<void>
}

/** The server over a storage of its own in a temporary directory, with `testCatalogue` in it. */
export async function createTestApp(
  environment: Record<string, string> = {},
  options: Partial<Pick<AppDeps, 'nowMs' | 'prerender' | 'firebaseKeys'>> & { wrapStorage?: (storage: Storage) => Storage } = {},
): Promise<TestApp> {
  const directory = await mkdtemp(join(tmpdir(), 'varispeed-server-'))
  const clientDir = join(directory, 'client')
  await mkdir(join(clientDir, 'assets'), { recursive: true })
  await writeFile(join(clientDir, 'index.html'), TEMPLATE)
  await writeFile(join(clientDir, 'assets', 'main-abc123.js'), 'console.log("plain")')
  await writeFile(join(clientDir, 'assets', 'main-abc123.js.br'), 'packed')
  await writeFile(join(clientDir, 'assets', 'kernel-abc123.wasm'), 'plain')
  await writeFile(join(clientDir, 'assets', 'kernel-abc123.wasm.br'), 'packed')
  await writeFile(join(directory, 'secret.txt'), 'outside of the client')
  const catalogue = join(directory, 'catalogue.json')
  await writeFile(catalogue, JSON.stringify(testCatalogue))

  const opened = await openStorage({ dataDir: join(directory, 'data') })
  await opened.catalogue.importFile(catalogue)
  const storage = options.wrapStorage?.(opened) ?? opened
  const lines: string[] = []
  const config = readConfig({ LOG_LEVEL: 'debug', DATA_DIR: join(directory, 'data'), ...environment })
  const log = createLog(config.logLevel, { write: (line) => lines.push(line) })
  const lifecycle: Lifecycle = { state: 'ready' }
  const fetchPicture = () => Promise.reject(new PictureFetchError('unreachable', 'tests do not use the network'))
  const app = await buildApp({
    config,
    storage,
    clientDir,
    log,
    lifecycle,
    fetchPicture,
    ...(options.nowMs === undefined ? {} : { nowMs: options.nowMs }),
    ...(options.firebaseKeys === undefined ? {} : { firebaseKeys: options.firebaseKeys }),
    ...(options.prerender === undefined ? {} : { prerender: options.prerender }),
  })
  await app.ready()
  return {
    app,
    storage,
    dataDir: config.dataDir,
    lifecycle,
    logged: () => lines.join(''),
    close: async () => {
      await app.close()
      await opened.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
