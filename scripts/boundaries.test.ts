import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importRules, runtimeRules } from '../.dependency-cruiser.mjs'
import { checkBoundaries } from './boundaries.mjs'

const clean: Record<string, string> = {
  'client/main.tsx': "import { App } from './app/app.tsx'\nApp satisfies unknown",
  'client/app/app.tsx': "import { useSong } from '../bindings/song.ts'\nexport const App = () => <b>{useSong()}</b>",
  'client/routes/song.tsx': "import { Song } from '../features/song/song.tsx'\nexport const Route = Song",
  'client/features/song/song.tsx': "import { Key } from '../../ui/key.tsx'\nexport const Song = () => <Key<string> value='a' />",
  'client/ui/key.tsx': 'export const Key = <T,>({ value }: { value: T }) => <b>{String(value)}</b>',
  'client/bindings/song.ts':
    "import { song } from '../data/song.ts'\nimport { player } from '../player/player.ts'\nexport const useSong = () => [song, player]",
  'client/data/song.ts':
    "import type { Song } from '../../contract/song.ts'\nimport { call } from '../platform/api.ts'\nexport const song = call as Song",
  'client/player/player.ts': "export { call as player } from '../platform/api.ts'",
  'client/platform/api.ts': 'export const call = 1',
  'contract/song.ts': "import Type from 'typebox'\nexport type Song = Type.TString",
  'brands/a/brand.ts': 'export const name = 1',
  'server/app.ts': "import { open } from './storage/open.ts'\nimport { routes } from './routes/song.ts'\nexport const app = [open, routes]",
  'server/routes/song.ts': "import type { Storage } from '../storage/storage.ts'\nexport const routes = (storage: Storage) => storage",
  'server/storage/open.ts': "import Database from 'better-sqlite3'\nexport const open = Database",
  'server/storage/storage.ts': 'export type Storage = number',
  'server/services/count.ts': 'export const count = 1',
  'server/testing/databases.ts': "import 'vitest'",
  'e2e/journey.ts': 'export const journey = 1',
}

/** One file for each rule: its path, what it imports, and the rule that must catch it. */
const planted: [rule: string, path: string, text: string][] = [
  ['routes-compose', 'client/routes/a.tsx', "import '../data/song.ts'"],
  ['features-apart', 'client/features/a/a.tsx', "import { Song } from '../song/song.tsx'\nexport const A = () => <Song />"],
  ['features-see-bindings-and-ui', 'client/features/a/b.ts', "import type { Song } from '../../data/song.ts'\nexport type B = Song"],
  ['bindings-join', 'client/bindings/a.ts', "import '../ui/key.tsx'"],
  ['data-below', 'client/data/a.ts', "import '../player/player.ts'"],
  ['player-below', 'client/player/a.ts', "import '../bindings/song.ts'"],
  ['engine-below', 'client/engine/a.ts', "import '../ui/key.tsx'"],
  ['ui-knows-no-data', 'client/ui/a.ts', "export const a = () => import('../data/song.ts')"],
  ['platform-edge', 'client/platform/a.ts', "import '../data/song.ts'"],
  ['contract-alone', 'contract/a.ts', "import '../brands/a/brand.ts'"],
  ['dsp-alone', 'dsp/a.ts', "import '../contract/song.ts'"],
  ['brands-are-data', 'brands/a/a.ts', "import '../../client/platform/api.ts'"],
  ['service-worker-alone', 'sw/a.ts', "import '../client/data/song.ts'"],
  ['client-apart', 'client/app/a.ts', "import type { app } from '../../server/app.ts'\nexport type A = typeof app"],
  ['server-apart', 'server/a.ts', "import '../client/platform/api.ts'"],
  ['dsp-in-conversion', 'server/services/a.ts', "import '../../dsp/a.ts'"],
  ['storage-by-interface', 'server/routes/a.ts', "import '../storage/open.ts'"],
  ['services-below-routes', 'server/services/b.ts', "import '../routes/song.ts'"],
  ['storage-below', 'server/storage/a.ts', "import '../services/count.ts'"],
  ['sql-in-storage', 'server/routes/b.ts', "import 'kysely'"],
  ['dexie-in-data', 'client/bindings/b.ts', "import { Dexie } from 'dexie'\nexport const b = Dexie"],
  ['dexie-hooks-in-bindings', 'client/features/song/a.ts', "import 'dexie-react-hooks'"],
  ['firebase-in-platform', 'client/data/b.ts', "import 'firebase'"],
  ['codecs-in-engine', 'client/features/song/b.ts', "import 'tone'"],
  ['react-in-view', 'client/player/b.ts', "import type { ReactNode } from 'react'\nexport type B = ReactNode"],
  ['server-packages-in-server', 'client/platform/b.ts', "import 'fastify'"],
  ['node-not-in-page', 'client/data/c.ts', "import 'node:fs'"],
  ['no-cycles', 'client/data/d.ts', "import './e.ts'"],
  ['resolvable', 'client/data/f.ts', "import './nowhere.ts'"],
  ['no-test-in-product', 'server/services/d.ts', "import '../../e2e/journey.ts'"],
  ['no-test-in-product', 'server/services/f.ts', "import '../testing/databases.ts'"],
  ['no-dev-package-in-product', 'server/services/e.ts', "import 'vitest'"],
  ['no-schema-code-in-page', 'client/main.tsx', "import { type Song } from '../contract/song.ts'\nexport type A = Song"],
]

/** The other half of the planted circle. */
const circle = { 'client/data/e.ts': "import './d.ts'" }

let found: { rule: string; from: string }[] = []
const directories: string[] = []

async function treeOf(files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'planted-'))
  directories.push(directory)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(directory, dirname(path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
  const dependencies: Record<string, string> = {}
  for (const name of [
    'typebox',
    'better-sqlite3',
    'kysely',
    'dexie',
    'dexie-react-hooks',
    'firebase',
    'tone',
    'react',
    'fastify',
    'vitest',
  ]) {
    const folder = join(directory, 'node_modules', name)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name, main: 'index.js' }))
    await writeFile(join(folder, 'index.js'), '')
    if (name !== 'vitest') dependencies[name] = '*'
  }
  await writeFile(join(directory, 'package.json'), JSON.stringify({ dependencies, devDependencies: { vitest: '*' } }))
  return directory
}

beforeAll(async () => {
  const files = { ...clean, ...circle, ...Object.fromEntries(planted.map(([, path, text]) => [path, text])) }
  found = (await checkBoundaries(await treeOf(files))).violations
})
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true }))))

it.each(planted)('%s catches %s', (rule, path) => {
  expect(found.filter((each) => each.from === path).map((each) => each.rule)).toContain(rule)
})

it('has a planted violation for every rule', () => {
  expect(new Set(planted.map(([rule]) => rule))).toEqual(new Set([...importRules, ...runtimeRules].map((rule) => rule.name)))
})

it('finds nothing in a tree that keeps the rules', async () => {
  expect((await checkBoundaries(await treeOf(clean))).violations).toEqual([])
})

it('refuses to judge nothing', async () => {
  await expect(checkBoundaries(await treeOf({ 'README.md': '' }))).rejects.toThrow('0 of 0 files')
})
