import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openKeyRing } from './keys.ts'

const DAY = 24 * 3_600_000
const START = Date.parse('2026-03-01T12:00:00Z')

let dataDir: string
let now = START
const open = () => openKeyRing(dataDir, () => now)
const file = () => join(dataDir, 'identity', 'keys.json')
beforeEach(async () => {
  now = START
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-keys-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

it('keys are the server user’s alone, and stay over restarts', async () => {
  const { kid } = await (await open()).signing()
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  expect((await stat(join(dataDir, 'identity'))).mode & 0o777).toBe(0o700)
  expect(await readdir(join(dataDir, 'identity'))).toEqual(['keys.json'])
  expect((await (await open()).signing()).kid).toBe(kid)
})

it('processes that start at once agree on one key', async () => {
  const rings = await Promise.all([open(), open(), open()])
  const kids = await Promise.all(rings.map(async (ring) => (await ring.signing()).kid))
  expect(new Set(kids).size).toBe(1)
})

it('after a month a new key signs, the old one checks for a day more, and other processes know both', async () => {
  const ring = await open()
  const other = await open()
  const first = await ring.signing()
  now += 30 * DAY - 1
  expect((await ring.signing()).kid).toBe(first.kid)
  now += 1
  const [second, same] = await Promise.all([ring.signing(), ring.signing()])
  expect(second.kid).not.toBe(first.kid)
  expect(same.kid).toBe(second.kid)
  for (const each of [ring, other, await open()]) {
    expect(await each.publicKey(second.kid)).toBeDefined()
    expect(await each.publicKey(first.kid)).toBeDefined()
  }
  expect((await other.signing()).kid).toBe(second.kid)
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  now += DAY
  expect(await ring.publicKey(first.kid)).toBeUndefined()
  now += 30 * DAY
  await ring.signing()
  expect(await readFile(file(), 'utf8')).not.toContain(first.kid)
  expect(await ring.publicKey('unknown')).toBeUndefined()
})

it('a lock that a killed process left does not stop rotation for long', async () => {
  const ring = await open()
  const { kid } = await ring.signing()
  const lock = join(dataDir, 'identity', 'keys.lock')
  await writeFile(lock, '')
  now += 31 * DAY
  expect((await ring.signing()).kid).toBe(kid)
  await utimes(lock, new Date(0), new Date(0))
  await ring.signing()
  expect((await ring.signing()).kid).not.toBe(kid)
})

it('a damaged file is one line that names it, and a file others may read is closed to them', async () => {
  await open()
  await writeFile(file(), '{"keys":[]}')
  await expect(open()).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/^DATA_DIR: [^\n]*keys\.json is damaged[^\n]*$/),
  })
})
