import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/log.ts'
import { PictureFetchError } from '../../server/pictures/fetch.ts'
import type { Storage } from '../../server/storage/open.ts'
import { openStorage } from '../../server/storage/open.ts'

const FIREBASE_SETTINGS = {
  FIREBASE_API_KEY: 'AIzaSyExampleExample',
  FIREBASE_PROJECT_ID: 'demo-site',
  FIREBASE_AUTH_DOMAIN: 'demo.example.org',
}

/** The real server with a database on disk. Requests are injected without a network port. */
export interface SimulationSite {
  /** The time of the server's clock, in epoch milliseconds. Each request advances the clock by 1 ms. */
  clockMs: number
  readonly storage: Storage
  /** Replaces a browser's `fetch`. While the server is being stopped, its responses are invalid. */
  fetch: typeof globalThis.fetch
  /** Creates an ID token for an account. The server accepts it. */
  createToken(uid: string): Promise<string>
  /** Stops the server and its database, and starts both again from the files on disk. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function openSimulationSite(songs: readonly { youtube_id: string; title: string }[]): Promise<SimulationSite> {
  const directory = await mkdtemp(join(tmpdir(), 'varispeed-devices-'))
  const dataDir = join(directory, 'data')
  const clientDir = join(directory, 'client')
  await mkdir(join(clientDir, 'assets'), { recursive: true })
  await writeFile(join(clientDir, 'index.html'), '<!doctype html><head><!--head--></head><div id="root"><!--page--></div>')
  const catalogueFile = join(directory, 'catalogue.json')
  const sharedFields = { author_name: 'Somebody', category_id: 'house', category_name: 'House', date_added: '2026-01-01T00:00:00Z' }
  await writeFile(catalogueFile, JSON.stringify({ songs: songs.map((song) => ({ ...sharedFields, ...song })) }))

  const keyPair = await generateKeyPair('RS256', { extractable: true })
  const firebaseKeys = createLocalJWKSet({ keys: [{ ...(await exportJWK(keyPair.publicKey)), kid: 'k', alg: 'RS256' }] })
  const config = readConfig({ LOG_LEVEL: 'fatal', DATA_DIR: dataDir, ...FIREBASE_SETTINGS })
  let clockMs = Date.now()
  let storage = await openStorage({ dataDir })
  await storage.catalogue.importFile(catalogueFile)

  const startApp = async (): Promise<FastifyInstance> => {
    const app = await buildApp({
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
    get storage() {
      return storage
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
    async restart() {
      await app.close()
      await storage.close()
      storage = await openStorage({ dataDir })
      app = await startApp()
    },
    async close() {
      await app.close()
      await storage.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
