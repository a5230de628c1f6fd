import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { ConfigError } from '../config.ts'

const DAY_MS = 24 * 3_600_000
/** A key signs for this long. */
const ROTATE_AFTER_MS = 30 * DAY_MS
/** A key that no longer signs still checks for this long: far more than the hour that a token lives. */
const OVERLAP_MS = DAY_MS
/** A lock that is older was left by a process that was killed. */
const LOCK_STALE_MS = 60_000
/** How often, at most, a key that is not known makes the file be read again. */
const REREAD_MS = 1000

interface StoredKey {
  kid: string
  createdMs: number
  jwk: JWK
}
interface Key {
  kid: string
  createdMs: number
  privateKey: CryptoKey
  publicKey: CryptoKey
}

export interface KeyRing {
  /** The key that signs now. */
  signing(): Promise<{ kid: string; privateKey: CryptoKey }>
  /** The public key of that id, while its signatures count. */
  publicKey(kid: string): Promise<CryptoKey | undefined>
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

async function newKey(nowMs: number): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  return { kid: randomBytes(12).toString('hex'), createdMs: nowMs, jwk: await exportJWK(privateKey) }
}

function isStoredKey(value: unknown): value is StoredKey {
  if (typeof value !== 'object' || value === null) return false
  const { kid, createdMs, jwk } = value as Partial<Record<keyof StoredKey, unknown>>
  return typeof kid === 'string' && typeof createdMs === 'number' && typeof jwk === 'object' && jwk !== null && 'd' in jwk
}

async function usable({ kid, createdMs, jwk }: StoredKey): Promise<Key> {
  const { kty, n, e } = jwk
  const [privateKey, publicKey] = await Promise.all([importJWK(jwk, 'RS256'), importJWK({ kty, n, e } as JWK, 'RS256')])
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array) throw new TypeError('The key is not an RSA key')
  return { kid, createdMs, privateKey, publicKey }
}

/**
 * The keys that sign identity tokens, in `DATA_DIR/identity/keys.json`, readable by the server's user only. Several
 * processes share the file; they survive restarts, and each gives way to a new one after a month.
 * @throws ConfigError in one line where the file is damaged
 */
export async function openKeyRing(dataDir: string, nowMs: () => number): Promise<KeyRing> {
  const directory = join(dataDir, 'identity')
  const file = join(directory, 'keys.json')
  const lock = join(directory, 'keys.lock')
  const draft = () => join(directory, `keys.${randomBytes(6).toString('hex')}.tmp`)

  async function writeDraft(keys: readonly StoredKey[]): Promise<string> {
    const path = draft()
    const handle = await open(path, 'wx', 0o600)
    try {
      await handle.writeFile(JSON.stringify({ keys }))
      await handle.sync()
    } finally {
      await handle.close()
    }
    return path
  }

  async function readStored(): Promise<StoredKey[]> {
    const text = await readFile(file, 'utf8')
    try {
      const { keys } = JSON.parse(text) as { keys?: unknown }
      if (Array.isArray(keys) && keys.length > 0 && keys.every(isStoredKey)) return keys
    } catch {
      // Said below, as for a file of the wrong form.
    }
    throw new ConfigError(`DATA_DIR: ${file} is damaged; restore it from a backup, or remove it, which makes people log in again`)
  }

  async function createFirst(): Promise<void> {
    const path = await writeDraft([await newKey(nowMs())])
    try {
      // Of several processes that start at once, one makes the file, whole.
      await link(path, file)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    } finally {
      await rm(path, { force: true })
    }
  }

  let keys: Key[] = []
  async function load(): Promise<void> {
    const stored = await readStored()
    const known = new Map(keys.map((key) => [key.kid, key]))
    const loaded = await Promise.all(stored.map(async (each) => known.get(each.kid) ?? (await usable(each))))
    keys = loaded.sort((a, b) => b.createdMs - a.createdMs)
  }

  async function takeLock(): Promise<boolean> {
    try {
      await (await open(lock, 'wx', 0o600)).close()
      return true
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      const { mtimeMs } = await stat(lock)
      if (Date.now() - mtimeMs > LOCK_STALE_MS) await rm(lock, { force: true })
      return false
    }
  }

  async function rotate(): Promise<void> {
    if (!(await takeLock())) return
    try {
      const stored = (await readStored()).sort((a, b) => b.createdMs - a.createdMs)
      // Another process may have been quicker.
      if ((stored[0]?.createdMs ?? 0) <= nowMs() - ROTATE_AFTER_MS) {
        // A key counts for as long as the one after it has not been there for the whole overlap.
        const kept = stored.filter((_key, index) => index === 0 || (stored[index - 1]?.createdMs ?? 0) > nowMs() - OVERLAP_MS)
        await rename(await writeDraft([await newKey(nowMs()), ...kept]), file)
      }
      await load()
    } finally {
      await rm(lock, { force: true })
    }
  }

  await mkdir(directory, { recursive: true, mode: 0o700 })
  try {
    await chmod(file, 0o600)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    await createFirst()
  }
  await load()

  let rotating: Promise<void> | undefined
  let rereadAt = Number.NEGATIVE_INFINITY
  return {
    signing: async () => {
      const isOld = () => (keys[0]?.createdMs ?? 0) <= nowMs() - ROTATE_AFTER_MS
      if (isOld()) {
        // Signing goes on with the old key where the disk refuses the new one; the next token tries again.
        rotating ??= rotate()
          .catch(() => undefined)
          .finally(() => {
            rotating = undefined
          })
        await rotating
      }
      const [key] = keys
      if (key === undefined) throw new Error('There is no signing key')
      return key
    },
    publicKey: async (kid) => {
      const find = () => keys.findIndex((key) => key.kid === kid)
      if (find() < 0 && Math.abs(performance.now() - rereadAt) > REREAD_MS) {
        // Another process may have begun to sign with a new key.
        rereadAt = performance.now()
        await load()
      }
      const index = find()
      const successor = keys[index - 1]
      if (index > 0 && successor !== undefined && successor.createdMs <= nowMs() - OVERLAP_MS) return undefined
      return keys[index]?.publicKey
    },
  }
}
