import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { ConfigError } from '../config.ts'
import { DAY_MS } from '../durations.ts'
import { type FileStore, FileStoreError } from '../files/file-store.ts'

/** The time in milliseconds for which a key signs tokens, about a month. */
const KEY_ROTATION_AGE_MS = 30 * DAY_MS
/** The time in milliseconds for which a key still verifies tokens after its replacement: far longer than the token lifetime of one hour. */
const KEY_OVERLAP_MS = DAY_MS
const KEYS_FILE_NAME = 'identity/keys.json'
/** The minimum time between the end of a reload of the key file because of an unknown key id and the next reload. */
const KEY_RELOAD_INTERVAL_MS = 1000

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
  getSigningKey(): Promise<{ kid: string; privateKey: CryptoKey }>
  /** Returns the public key with this id, or undefined if it is unknown or expired. */
  findPublicKey(kid: string): Promise<CryptoKey | undefined>
}

async function createKey(nowMs: number): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  return { kid: randomBytes(12).toString('hex'), createdMs: nowMs, jwk: await exportJWK(privateKey) }
}

function isStoredKey(parsedValue: unknown): parsedValue is StoredKey {
  if (typeof parsedValue !== 'object' || parsedValue === null) return false
  const { kid, createdMs, jwk } = parsedValue as Partial<Record<keyof StoredKey, unknown>>
  return typeof kid === 'string' && typeof createdMs === 'number' && typeof jwk === 'object' && jwk !== null && 'd' in jwk
}

async function importKey({ kid, createdMs, jwk }: StoredKey): Promise<SigningKey> {
  const { kty, n, e } = jwk
  const [privateKey, publicKey] = await Promise.all([importJWK(jwk, 'RS256'), importJWK({ kty, n, e } as JWK, 'RS256')])
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array) throw new TypeError('The key is not an RSA key')
  return { kid, createdMs, privateKey, publicKey }
}

/** Returns the stored keys; undefined if there are none. @throws ConfigError if the file is damaged */
async function readStoredKeys(fileStore: FileStore): Promise<StoredKey[] | undefined> {
  const keyFile = await fileStore.open(KEYS_FILE_NAME)
  if (keyFile === undefined) return undefined
  const keysJson = await text(keyFile)
  try {
    const { keys } = JSON.parse(keysJson) as { keys?: unknown }
    if (Array.isArray(keys) && keys.length > 0 && keys.every(isStoredKey)) return keys.sort((a, b) => b.createdMs - a.createdMs)
  } catch {
    // Invalid JSON is reported by the same ConfigError as a wrong structure.
  }
  throw new ConfigError(
    `DATA_DIR or FILE_STORE: ${KEYS_FILE_NAME} is damaged; restore it from a backup, or remove it, which makes people log in again`,
  )
}

/** Returns the problems of the signing keys. Missing keys are not a problem, because the server creates them. */
export async function findKeyProblems(fileStore: FileStore): Promise<string[]> {
  try {
    for (const key of (await readStoredKeys(fileStore)) ?? []) await importKey(key)
    return []
  } catch (error) {
    return [error instanceof ConfigError || error instanceof FileStoreError ? error.message : `${KEYS_FILE_NAME} cannot be used`]
  }
}

interface KeyRingDeps {
  fileStore: FileStore
  /** Runs a task while no other process of the site runs one of the same name. */
  runExclusively: <T>(name: string, task: () => Promise<T>) => Promise<T>
  nowMs: () => number
}

/**
 * Opens the signing keys of identity tokens, which are in the file store. All processes of a site share them. The signing key is rotated after a month.
 * @throws ConfigError if the file is damaged
 */
export async function openKeyRing({ fileStore, runExclusively, nowMs }: KeyRingDeps): Promise<KeyRing> {
  let signingKeys: SigningKey[] = []
  async function setKeys(storedKeys: readonly StoredKey[]): Promise<void> {
    const knownKeys = new Map(signingKeys.map((key) => [key.kid, key]))
    signingKeys = await Promise.all(storedKeys.map(async (each) => knownKeys.get(each.kid) ?? (await importKey(each))))
  }
  async function loadKeys(): Promise<void> {
    const storedKeys = await readStoredKeys(fileStore)
    if (storedKeys !== undefined) await setKeys(storedKeys)
  }
  const isKeyOld = (key: { createdMs: number } | undefined) => (key?.createdMs ?? 0) <= nowMs() - KEY_ROTATION_AGE_MS

  /** Adds a key if there is none, or if the newest one is old, unless another process has just added one. Loads the keys. */
  async function addKeyIfDue(): Promise<void> {
    const addedKey = await createKey(nowMs())
    await runExclusively('signing-keys', async () => {
      const storedKeys = (await readStoredKeys(fileStore)) ?? []
      if (!isKeyOld(storedKeys[0])) return setKeys(storedKeys)
      // A key is valid until the next key is older than `KEY_OVERLAP_MS`.
      const validKeys = storedKeys.filter(
        (_key, index) => index === 0 || (storedKeys[index - 1]?.createdMs ?? 0) > nowMs() - KEY_OVERLAP_MS,
      )
      const currentKeys = [addedKey, ...validKeys]
      await fileStore.put(KEYS_FILE_NAME, JSON.stringify({ keys: currentKeys }))
      await setKeys(currentKeys)
    })
  }

  await loadKeys()
  if (signingKeys.length === 0) await addKeyIfDue()

  let rotationPromise: Promise<void> | undefined
  let reloadPromise: Promise<void> = Promise.resolve()
  /** The time of `performance.now` from which the key file may be loaded again; infinite while it is being loaded. */
  let nextReloadMs = 0
  /** Loads the key file again, unless a load runs or has just ended. Resolves or rejects like the last load, so that parallel callers wait for the same one. */
  function reloadKeys(): Promise<void> {
    if (performance.now() >= nextReloadMs) {
      nextReloadMs = Number.POSITIVE_INFINITY
      reloadPromise = loadKeys().finally(() => {
        nextReloadMs = performance.now() + KEY_RELOAD_INTERVAL_MS
      })
    }
    return reloadPromise
  }
  return {
    getSigningKey: async () => {
      if (isKeyOld(signingKeys[0])) {
        // If the new key cannot be written, the old key still signs, and the rotation is tried again for the next token.
        rotationPromise ??= addKeyIfDue()
          .catch(() => undefined)
          .finally(() => {
            rotationPromise = undefined
          })
        await rotationPromise
      }
      const [newestKey] = signingKeys
      if (newestKey === undefined) throw new Error('There is no signing key')
      return newestKey
    },
    findPublicKey: async (keyId) => {
      const findKeyIndex = () => signingKeys.findIndex((key) => key.kid === keyId)
      // An unknown key id may belong to a key that another process has created.
      if (findKeyIndex() < 0) await reloadKeys()
      const index = findKeyIndex()
      const successor = signingKeys[index - 1]
      if (index > 0 && successor !== undefined && successor.createdMs <= nowMs() - KEY_OVERLAP_MS) return undefined
      return signingKeys[index]?.publicKey
    },
  }
}
