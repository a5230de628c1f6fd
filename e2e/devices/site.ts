import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Song } from '../../contract/song.ts'
import { buildApp } from '../../server/app.ts'
import type { SongReadOptions } from '../../server/catalogue/store-song-rows.ts'
import { readConfig } from '../../server/config.ts'
import { openFileStore } from '../../server/files/open.ts'
import { createLog } from '../../server/log.ts'
import { PictureFetchError } from '../../server/pictures/fetch.ts'
import type { Storage } from '../../server/storage/open.ts'
import { openStorage } from '../../server/storage/open.ts'

const FIREBASE_SETTINGS = {
  FIREBASE_API_KEY: 'AIzaSyExampleExample',
  FIREBASE_PROJECT_ID: 'demo-site',
  FIREBASE_AUTH_DOMAIN: 'demo.example.org',
}

/** More songs than a playlist of a simulation has. */
const PLAYLIST_SONGS_MAX = 10_000

/** The server of a simulation. */
export interface SimulationSite {
  /** The time of the server's clock, in epoch milliseconds. Each request advances the clock by 1 ms. */
  clockMs: number
  /** Replaces a browser's `fetch`. While the server is being stopped, its responses are invalid. */
  fetch: typeof globalThis.fetch
  /** Creates an ID token for an account. The server accepts it. */
  createToken(uid: string): Promise<string>
  /** Returns the ids of a playlist's songs, in the order of the playlist's public page. */
  listPlaylistSongs(uid: string, playlistId: string): Promise<readonly string[]>
  /** Stops the server and its database, and starts both again from the files on disk. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Creates a directory for a database, in memory where the system has such a file system, because plans write thousands of transactions. */
const createDirectory = () => mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'varispeed-devices-'))

async function importSongs(storage: Storage, workDir: string, songs: readonly Song[]): Promise<void> {
  const catalogueFile = join(workDir, 'catalogue.json')
  const songRows = songs.map(({ youtube_id, title, author_name, category_id, category_name, date_added }) => ({
    ...{ youtube_id, title, author_name, category_id, category_name, date_added },
  }))
  await writeFile(catalogueFile, JSON.stringify({ songs: songRows }))
  await storage.catalogue.importFile(catalogueFile)
}

interface SyncStore {
  sync(uid: string, request: object, nowMs: number, view: SongReadOptions): Promise<unknown>
}
const mapStoresByPath = ({ favorites, ownPlaylists, follows }: Storage): Record<string, SyncStore> => ({
  '/api/favorite/sync': favorites,
  '/api/list/sync': ownPlaylists,
  '/api/follow/sync': follows,
})

async function listPlaylistSongs({ ownPlaylists }: Storage, uid: string, playlistId: string): Promise<readonly string[]> {
  const songs = await ownPlaylists.listSongs(uid, playlistId, { limit: PLAYLIST_SONGS_MAX, offset: 0 }, { newSinceMs: 0 })
  return songs.map(({ youtube_id }) => youtube_id)
}

/** The stores of the server without its routes, on SQLite. A request takes less than a millisecond. */
export async function openStoreSite(songs: readonly Song[]): Promise<SimulationSite> {
  const workDir = await createDirectory()
  const dataDir = join(workDir, 'data')
  let storage = await openStorage({ dataDir })
  await importSongs(storage, workDir, songs)
  const readOptions: SongReadOptions = { newSinceMs: 0 }
  const site: SimulationSite = {
    clockMs: Date.now(),
    async fetch(url, init) {
      site.clockMs += 1
      const token = new Headers(init?.headers).get('authorization') ?? ''
      const { sub: uid }: { sub: string } = JSON.parse(atob(token.split('.')[1] ?? ''))
      const body = JSON.parse(String(init?.body))
      const store = mapStoresByPath(storage)[String(url)]
      return Response.json({ code: 200, message: '', data: await store?.sync(uid, body, site.clockMs, readOptions) })
    },
    createToken: async (uid) => `x.${btoa(JSON.stringify({ sub: uid }))}.y`,
    listPlaylistSongs: (uid, playlistId) => listPlaylistSongs(storage, uid, playlistId),
    async restart() {
      await storage.close()
      storage = await openStorage({ dataDir })
    },
    async close() {
      await storage.close()
      await rm(workDir, { recursive: true, force: true })
    },
  }
  return site
}

/** The real server with a database on disk. Requests are injected without a network port. */
export async function openSimulationSite(songs: readonly Song[]): Promise<SimulationSite> {
  const workDir = await createDirectory()
  const dataDir = join(workDir, 'data')
  const clientDir = join(workDir, 'client')
  await mkdir(join(clientDir, 'assets'), { recursive: true })
  await writeFile(join(clientDir, 'index.html'), '<!doctype html><head><!--head--></head><div id="root"><!--page--></div>')

  const keyPair = await generateKeyPair('RS256', { extractable: true })
  const firebaseKeys = createLocalJWKSet({ keys: [{ ...(await exportJWK(keyPair.publicKey)), kid: 'k', alg: 'RS256' }] })
  const config = readConfig({ LOG_LEVEL: 'fatal', DATA_DIR: dataDir, ...FIREBASE_SETTINGS })
  let clockMs = Date.now()
  let storage = await openStorage({ dataDir })
  await importSongs(storage, workDir, songs)

  const startApp = async (): Promise<FastifyInstance> => {
    const app = await buildApp({
      fileStore: await openFileStore(config),
      config,
      storage,
      clientDir,
      firebaseKeys,
      nowMs: () => clockMs,
      log: createLog(config.logLevel, { write: () => {} }),
      fetchPicture: () => Promise.reject(new PictureFetchError('unreachable', 'There is no network.')),
    })
    await app.ready()
    return app
  }
  let app = await startApp()

  return {
    get clockMs() {
      return clockMs
    },
    set clockMs(ms) {
      clockMs = ms
    },
    async fetch(url, init) {
      clockMs += 1
      const response = await app.inject({
        method: init?.method === 'POST' ? 'POST' : 'GET',
        url: String(url),
        headers: Object.fromEntries(new Headers(init?.headers)),
        ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
      })
      return new Response(response.body, { status: response.statusCode })
    },
    createToken(uid) {
      // The token is created with the server's clock, which the many plans advance by years.
      const nowSeconds = Math.floor(clockMs / 1000)
      return new SignJWT({ auth_time: nowSeconds })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuer(`https://securetoken.google.com/${FIREBASE_SETTINGS.FIREBASE_PROJECT_ID}`)
        .setAudience(FIREBASE_SETTINGS.FIREBASE_PROJECT_ID)
        .setSubject(uid)
        .setIssuedAt(nowSeconds - 3600)
        .setExpirationTime(nowSeconds + 90 * 86_400)
        .sign(keyPair.privateKey)
    },
    listPlaylistSongs: (uid, playlistId) => listPlaylistSongs(storage, uid, playlistId),
    async restart() {
      await app.close()
      await storage.close()
      storage = await openStorage({ dataDir })
      app = await startApp()
    },
    async close() {
      await app.close()
      await storage.close()
      await rm(workDir, { recursive: true, force: true })
    },
  }
}
