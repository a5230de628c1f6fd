import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/services/log.ts'
import { PictureFetchError } from '../../server/services/picture-fetch.ts'
import { openStorage } from '../../server/storage/open.ts'
import type { Storage } from '../../server/storage/storage.ts'

const PROJECT = { FIREBASE_API_KEY: 'AIzaSyExampleExample', FIREBASE_PROJECT_ID: 'demo-site', FIREBASE_AUTH_DOMAIN: 'demo.example.org' }

/** The server's own program over a database on disk, without a port. */
export interface Site {
  /** Epoch milliseconds; goes on by itself with each request, as requests take time. */
  clockMs: number
  readonly storage: Storage
  /** As a browser's `fetch` to this site; a server that stops answers nothing. */
  fetch: typeof globalThis.fetch
  tokenOf(uid: string): Promise<string>
  /** Stops the server and its database, and starts them again from the disk. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function openSite(songs: readonly { youtube_id: string; title: string }[]): Promise<Site> {
  const directory = await mkdtemp(join(tmpdir(), 'varispeed-devices-'))
  const dataDir = join(directory, 'data')
  const clientDir = join(directory, 'client')
  await mkdir(join(clientDir, 'assets'), { recursive: true })
  await writeFile(join(clientDir, 'index.html'), '<!doctype html><head><!--head--></head><div id="root"><!--page--></div>')
  const catalogue = join(directory, 'catalogue.json')
  const about = { author_name: 'Somebody', category_id: 'house', category_name: 'House', date_added: '2026-01-01T00:00:00Z' }
  await writeFile(catalogue, JSON.stringify({ songs: songs.map((song) => ({ ...about, ...song })) }))

  const keys = await generateKeyPair('RS256', { extractable: true })
  const firebaseKeys = createLocalJWKSet({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'RS256' }] })
  const config = readConfig({ LOG_LEVEL: 'fatal', DATA_DIR: dataDir, ...PROJECT })
  let clockMs = Date.now()
  let storage = await openStorage({ dataDir })
  await storage.catalogue.importFile(catalogue)

  const start = async (): Promise<FastifyInstance> => {
    const app = await buildApp({
      ...{ config, storage, clientDir, firebaseKeys, nowMs: () => clockMs },
      log: createLog(config.logLevel, { write: () => {} }),
      fetchPicture: () => Promise.reject(new PictureFetchError('unreachable', 'There is no network.')),
    })
    await app.ready()
    return app
  }
  let app = await start()

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
      const answer = await app.inject({
        method: init?.method === 'POST' ? 'POST' : 'GET',
        url: String(url),
        headers: Object.fromEntries(new Headers(init?.headers)),
        ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
      })
      return new Response(answer.body, { status: answer.statusCode })
    },
    tokenOf(uid) {
      // Thousands of plans take the site's clock years ahead.
      const seconds = Math.floor(clockMs / 1000)
      return new SignJWT({ auth_time: seconds })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuer(`https://securetoken.google.com/${PROJECT.FIREBASE_PROJECT_ID}`)
        .setAudience(PROJECT.FIREBASE_PROJECT_ID)
        .setSubject(uid)
        .setIssuedAt(seconds - 3600)
        .setExpirationTime(seconds + 90 * 86_400)
        .sign(keys.privateKey)
    },
    async restart() {
      await app.close()
      await storage.close()
      storage = await openStorage({ dataDir })
      app = await start()
    },
    async close() {
      await app.close()
      await storage.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
