import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { ConfigError } from '../config.ts'
import { DAY_MS } from '../durations.ts'

/** The time in milliseconds for which a key signs tokens, about a month. */
const ROTATE_AFTER_MS = 30 * DAY_MS
/** The time in milliseconds for which a key still verifies tokens after its replacement: far longer than the token lifetime of one hour. */
const OVERLAP_MS = DAY_MS
/** The age above which a lock file counts as left by a killed process. */
const LOCK_STALE_MS = 60_000
/** The minimum interval between reloads of the key file because of an unknown key id. */
const RELOAD_INTERVAL_MS = 1000

interface StoredKey {
  kid: string
  createdMs: number
  jwk: JWK
}
interface SigningKey {
  kid: string
  createdMs: number
  privateKey: CryptoKey
  publicKey: CryptoKey
}

export interface KeyRing {
  /** Returns the current signing key, after rotating it if it is due. */
  signingKey(): Promise<{ kid: string; privateKey: CryptoKey }>
  /** Returns the public key with this id, or undefined if it is unknown or expired. */
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

async function importKey({ kid, createdMs, jwk }: StoredKey): Promise<SigningKey> {
  const { kty, n, e } = jwk
  const [privateKey, publicKey] = await Promise.all([importJWK(jwk, 'RS256'), importJWK({ kty, n, e } as JWK, 'RS256')])
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array) throw new TypeError('The key is not an RSA key')
  return { kid, createdMs, privateKey, publicKey }
}

const keyFile = (dataDir: string) => join(dataDir, 'identity', 'keys.json')

/** @throws ConfigError if the file is damaged */
async function readStored(file: string): Promise<StoredKey[]> {
  const text = await readFile(file, 'utf8')
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown }
    if (Array.isArray(keys) && keys.length > 0 && keys.every(isStoredKey)) return keys
  } catch {
    // Invalid JSON is reported by the same ConfigError as a wrong structure.
  }
  throw new ConfigError(`DATA_DIR: ${file} is damaged; restore it from a backup, or remove it, which makes people log in again`)
}

/** Returns the problems of the signing keys. Missing keys are not a problem, because the server creates them. */
export async function findKeyProblems(dataDir: string): Promise<string[]> {
  try {
    for (const key of await readStored(keyFile(dataDir))) await importKey(key)
    return []
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    return [error instanceof ConfigError ? error.message : `${keyFile(dataDir)} cannot be used`]
  }
}

/**
 * Opens the signing keys of identity tokens in `DATA_DIR/identity/keys.json`, readable by the server's user only. Several processes share
 * the file. The signing key is rotated after a month.
 * @throws ConfigError if the file is damaged
 */
export async function openKeyRing(dataDir: string, nowMs: () => number): Promise<KeyRing> {
  const directory = join(dataDir, 'identity')
  const file = keyFile(dataDir)
  const lock = join(directory, 'keys.lock')
  const temporaryPath = () => join(directory, `keys.${randomBytes(6).toString('hex')}.tmp`)

  async function writeTemporary(keys: readonly StoredKey[]): Promise<string> {
    const path = temporaryPath()
    const handle = await open(path, 'wx', 0o600)
    try {
      await handle.writeFile(JSON.stringify({ keys }))
      await handle.sync()
    } finally {
      await handle.close()
    }
    return path
  }

  async function createFirst(): Promise<void> {
    const path = await writeTemporary([await newKey(nowMs())])
    try {
      // `link` is atomic and fails if the file exists: of several starting processes, exactly one creates it.
      await link(path, file)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    } finally {
      await rm(path, { force: true })
    }
  }

  let keys: SigningKey[] = []
  async function loadKeys(): Promise<void> {
    const storedKeys = await readStored(file)
    const knownKeys = new Map(keys.map((key) => [key.kid, key]))
    const loadedKeys = await Promise.all(storedKeys.map(async (each) => knownKeys.get(each.kid) ?? (await importKey(each))))
    keys = loadedKeys.sort((a, b) => b.createdMs - a.createdMs)
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

  async function rotateKey(): Promise<void> {
    if (!(await takeLock())) return
    try {
      const storedKeys = (await readStored(file)).sort((a, b) => b.createdMs - a.createdMs)
      // The keys are loaded again, because another process may have rotated the key already.
      if ((storedKeys[0]?.createdMs ?? 0) <= nowMs() - ROTATE_AFTER_MS) {
        // A key is valid until the next key is older than `OVERLAP_MS`.
        const validKeys = storedKeys.filter((_key, index) => index === 0 || (storedKeys[index - 1]?.createdMs ?? 0) > nowMs() - OVERLAP_MS)
        await rename(await writeTemporary([await newKey(nowMs()), ...validKeys]), file)
      }
      await loadKeys()
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
  await loadKeys()

  let rotation: Promise<void> | undefined
  let reloadedAtMs = Number.NEGATIVE_INFINITY
  return {
    signingKey: async () => {
      const isOld = () => (keys[0]?.createdMs ?? 0) <= nowMs() - ROTATE_AFTER_MS
      if (isOld()) {
        // If the new key cannot be written, the old key still signs, and the rotation is tried again for the next token.
        rotation ??= rotateKey()
          .catch(() => undefined)
          .finally(() => {
            rotation = undefined
          })
        await rotation
      }
      const [newestKey] = keys
      if (newestKey === undefined) throw new Error('There is no signing key')
      return newestKey
    },
    publicKey: async (kid) => {
      const findKeyIndex = () => keys.findIndex((key) => key.kid === kid)
      if (findKeyIndex() < 0 && Math.abs(performance.now() - reloadedAtMs) > RELOAD_INTERVAL_MS) {
        // An unknown key id may belong to a key that another process has created.
        reloadedAtMs = performance.now()
        await loadKeys()
      }
      const index = findKeyIndex()
      const successor = keys[index - 1]
      if (index > 0 && successor !== undefined && successor.createdMs <= nowMs() - OVERLAP_MS) return undefined
      return keys[index]?.publicKey
    },
  }
}
