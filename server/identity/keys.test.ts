import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DAY_MS } from '../durations.ts'
import { openFolderStore } from '../files/folder-store.ts'
import { openKeyRing } from './keys.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')

let dataDir: string
let nowMs = START_MS
let lastTask: Promise<unknown> = Promise.resolve()
const openRing = async () =>
  openKeyRing({
    fileStore: await openFolderStore(dataDir),
    runExclusively: <T>(_name: string, runTask: () => Promise<T>) => {
      const running = lastTask.then(runTask)
      lastTask = running.catch(() => undefined)
      return running
    },
    nowMs: () => nowMs,
  })
const findKeysFile = () => join(dataDir, 'identity', 'keys.json')
beforeEach(async () => {
  nowMs = START_MS
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-keys-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

it('only the server’s user can read the key file, which survives a restart', async () => {
  const { kid } = await (await openRing()).getSigningKey()
  expect((await stat(findKeysFile())).mode & 0o777).toBe(0o600)
  expect((await stat(join(dataDir, 'identity'))).mode & 0o777).toBe(0o700)
  expect(await readdir(join(dataDir, 'identity'))).toEqual(['keys.json'])
  expect((await (await openRing()).getSigningKey()).kid).toBe(kid)
})

it('processes that start at the same time use the same first key', async () => {
  const rings = await Promise.all([openRing(), openRing(), openRing()])
  const kids = await Promise.all(rings.map(async (ring) => (await ring.getSigningKey()).kid))
  expect(new Set(kids).size).toBe(1)
})

it('after a month a new key signs, the old key verifies for one more day, and other processes load both', async () => {
  const keyRing = await openRing()
  const otherRing = await openRing()
  const firstKey = await keyRing.getSigningKey()
  nowMs += 30 * DAY_MS - 1
  expect((await keyRing.getSigningKey()).kid).toBe(firstKey.kid)
  nowMs += 1
  const [secondKey, sameKey] = await Promise.all([keyRing.getSigningKey(), keyRing.getSigningKey()])
  expect(secondKey.kid).not.toBe(firstKey.kid)
  expect(sameKey.kid).toBe(secondKey.kid)
  for (const each of [keyRing, otherRing, await openRing()]) {
    expect(await each.findPublicKey(secondKey.kid)).toBeDefined()
    expect(await each.findPublicKey(firstKey.kid)).toBeDefined()
  }
  expect((await otherRing.getSigningKey()).kid).toBe(secondKey.kid)
  expect((await stat(findKeysFile())).mode & 0o777).toBe(0o600)
  nowMs += DAY_MS
  expect(await keyRing.findPublicKey(firstKey.kid)).toBeUndefined()
  nowMs += 30 * DAY_MS
  await keyRing.getSigningKey()
  expect(await readFile(findKeysFile(), 'utf8')).not.toContain(firstKey.kid)
  expect(await keyRing.findPublicKey('unknown')).toBeUndefined()
})

it('parallel requests with the key of another process are all accepted: they wait for the same load of the key file', async () => {
  const [signingRing, verifyingRing] = [await openRing(), await openRing()]
  nowMs += 30 * DAY_MS
  const { kid } = await signingRing.getSigningKey()
  const foundKeys = await Promise.all([1, 2, 3].map(() => verifyingRing.findPublicKey(kid)))
  expect(foundKeys.map((key) => key !== undefined)).toEqual([true, true, true])
})

it('while the key file cannot be read, no unknown key counts as refused', async () => {
  const keyRing = await openRing()
  await rm(findKeysFile())
  await mkdir(findKeysFile())
  for (const attempt of [1, 2]) await expect(keyRing.findPublicKey(`unknown-${attempt}`)).rejects.toThrow()
})

it('a damaged key file is reported in one line with its path, and file permissions that are too open are tightened', async () => {
  await openRing()
  await writeFile(findKeysFile(), '{"keys":[]}')
  await expect(openRing()).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/^DATA_DIR or FILE_STORE: [^\n]*keys\.json is damaged[^\n]*$/),
  })
})
