import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkBoundaries, folderCycleRule } from './boundaries.mjs'
import { importRules, runtimeRules } from './boundary-rules.mjs'

const validCodeByPath: Record<string, string> = {
  'client/main.tsx': "import { App } from './app/app.tsx'\nApp satisfies unknown",
  'client/app/app.tsx': "import { useSong } from '../hooks/song.ts'\nexport const App = () => <b>{useSong()}</b>",
  'client/routes/song.tsx': "import { Song } from '../features/song/song.tsx'\nexport const Route = Song",
  'client/features/song/song.tsx':
    "import { Cover } from '../../components/cover.tsx'\nimport { usePlay } from './use-play.ts'\nexport const Song = () => <Cover play={usePlay} />",
  'client/features/song/use-play.ts': "import { player } from '../../player/player.ts'\nexport const usePlay = () => player",
  'client/components/cover.tsx':
    "import { useSong } from '../hooks/song.ts'\nimport { Button } from '../ui/button.tsx'\nexport const Cover = ({ play }: { play: () => number }) => <Button<string> value={String([useSong(), play()])} />",
  'client/ui/button.tsx': 'export const Button = <T,>({ value }: { value: T }) => <b>{String(value)}</b>',
  'client/hooks/song.ts':
    "import { song } from '../data/song.ts'\nimport { player } from '../player/player.ts'\nexport const useSong = () => [song, player]",
  'client/data/song.ts':
    "import type { Song } from '../../contract/song.ts'\nimport { call } from '../platform/api.ts'\nexport const song = call as Song",
  'client/player/player.ts': "export { call as player } from '../platform/api.ts'",
  'client/platform/api.ts': 'export const call = 1',
  'contract/song.ts': "import Type from 'typebox'\nexport type Song = Type.TString",
  'brands/a/brand.ts': 'export const name = 1',
  'server/main.ts': "import { app } from './app.ts'\nimport { open } from './storage/open.ts'\nexport const main = [app, open]",
  'server/app.ts': "import { routes } from './song/routes.ts'\nexport const app = routes",
  'server/song/routes.ts': "import type { Storage } from '../storage/open.ts'\nexport const routes = (storage: Storage) => storage",
  'server/storage/open.ts':
    "import Database from 'better-sqlite3'\nimport { createSongStore } from '../song/store.ts'\nexport const open = [Database, createSongStore]\nexport type Storage = typeof open",
  'server/storage/migrations.ts': "import { createSongStore } from '../song/store.ts'\nexport const migrations = createSongStore",
  'server/storage/database.ts': "import { sql } from 'kysely'\nexport const database = sql",
  'server/song/store.ts':
    "import { sql } from 'kysely'\nimport { database } from '../storage/database.ts'\nexport const createSongStore = [sql, database]\nexport type SongStore = number",
  'server/admin/command.ts': 'export const defineCommand = 1',
  'server/admin/commands.ts': "import { songCommand } from '../song/commands.ts'\nexport const commands = songCommand",
  'server/song/commands.ts': "import { defineCommand } from '../admin/command.ts'\nexport const songCommand = defineCommand",
  'server/song/count.ts': 'export const count = 1',
  'server/testing/databases.ts': "import 'vitest'",
  'e2e/journey.ts': 'export const journey = 1',
}

/** For each rule, a file that violates it: the rule's name, the file's path and the file's source code. */
const plantedFiles: [rule: string, path: string, text: string][] = [
  ['routes-compose', 'client/routes/a.tsx', "import '../data/song.ts'"],
  ['features-apart', 'client/features/a/a.tsx', "import { Song } from '../song/song.tsx'\nexport const A = () => <Song />"],
  ['feature-views-use-hooks', 'client/features/a/b.tsx', "import type { Song } from '../../data/song.ts'\nexport type B = Song"],
  ['feature-modules-join', 'client/features/a/b.ts', "import '../../app/app.tsx'"],
  ['components-use-hooks', 'client/components/a.tsx', "import type { Song } from '../data/song.ts'\nexport type B = Song"],
  ['hooks-join', 'client/hooks/a.ts', "import '../ui/button.tsx'"],
  ['data-below', 'client/data/a.ts', "import '../player/player.ts'"],
  ['player-below', 'client/player/a.ts', "import '../hooks/song.ts'"],
  ['engine-below', 'client/engine/a.ts', "import '../ui/button.tsx'"],
  ['ui-knows-no-data', 'client/ui/a.ts', "export const a = () => import('../data/song.ts')"],
  ['platform-edge', 'client/platform/a.ts', "import '../data/song.ts'"],
  ['primitives-alone', 'client/primitives/a.ts', "import '../platform/api.ts'"],
  ['contract-alone', 'contract/a.ts', "import '../brands/a/brand.ts'"],
  ['dsp-alone', 'dsp/a.ts', "import '../contract/song.ts'"],
  ['brands-are-data', 'brands/a/a.ts', "import '../../client/platform/api.ts'"],
  ['service-worker-alone', 'sw/a.ts', "import '../client/data/song.ts'"],
  ['client-apart', 'client/app/a.ts', "import type { app } from '../../server/app.ts'\nexport type A = typeof app"],
  ['server-apart', 'server/a.ts', "import '../client/platform/api.ts'"],
  ['dsp-in-conversion', 'server/song/a.ts', "import '../../dsp/a.ts'"],
  ['storage-by-stores', 'server/song/b.ts', "import type { database } from '../storage/database.ts'\nexport type B = typeof database"],
  ['stores-below', 'server/song/store-b.ts', "import '../http/b.ts'"],
  ['stores-by-type', 'server/song/h.ts', "import { createSongStore } from './store.ts'\nexport const h = createSongStore"],
  ['commands-in-admin', 'server/song/i.ts', "import './commands.ts'"],
  ['storage-by-type', 'server/song/j.ts', "import { open } from '../storage/open.ts'\nexport const j = open"],
  ['routes-in-app', 'server/song/c.ts', "import './routes.ts'"],
  ['storage-below', 'server/storage/a.ts', "import '../song/count.ts'"],
  ['text-below', 'server/text/a.ts', "import '../song/count.ts'"],
  ['sql-in-stores', 'server/song/d.ts', "import 'kysely'"],
  ['dexie-in-data', 'client/hooks/b.ts', "import { Dexie } from 'dexie'\nexport const b = Dexie"],
  ['firebase-in-platform', 'client/data/b.ts', "import 'firebase'"],
  ['codecs-in-engine', 'client/features/song/b.ts', "import 'tone'"],
  ['react-in-view', 'client/player/b.ts', "import type { ReactNode } from 'react'\nexport type B = ReactNode"],
  ['server-packages-in-server', 'client/platform/b.ts', "import 'fastify'"],
  ['node-not-in-page', 'client/data/c.ts', "import 'node:fs'"],
  ['no-cycles', 'client/data/d.ts', "import './e.ts'"],
  ['resolvable', 'client/data/f.ts', "import './nowhere.ts'"],
  ['no-test-in-product', 'server/song/e.ts', "import '../../e2e/journey.ts'"],
  ['no-test-in-product', 'server/song/g.ts', "import '../testing/databases.ts'"],
  ['no-dev-package-in-product', 'server/song/f.ts', "import 'vitest'"],
  [folderCycleRule, 'server/http/a.ts', "import type { A } from '../identity/a.ts'\nexport type B = A"],
  [folderCycleRule, 'server/identity/b.ts', "import '../http/b.ts'"],
  [folderCycleRule, 'client/routes/c.tsx', "import '../app/c.tsx'"],
  [folderCycleRule, 'e2e/a.ts', "import '../scripts/a.ts'"],
  ['no-schema-code-in-page', 'client/main.tsx', "import { type Song } from '../contract/song.ts'\nexport type A = Song"],
]

/** The files that close the planted import cycles. No module of `server/http` and `server/identity` imports itself through others. */
const cycleCodeByPath = {
  'client/data/e.ts': "import './d.ts'",
  'server/identity/a.ts': 'export type A = number',
  'server/http/b.ts': 'export const b = 1',
  'client/app/c.tsx': "import '../ui/c.ts'",
  'client/ui/c.ts': "import '../routes/song.tsx'",
  'scripts/a.ts': "import '../e2e/journey.ts'",
}

let foundViolations: { rule: string; from: string }[] = []
const tempDirs: string[] = []

async function writeTree(textByPath: Record<string, string>): Promise<string> {
  const treeDir = await mkdtemp(join(tmpdir(), 'planted-'))
  tempDirs.push(treeDir)
  for (const [path, text] of Object.entries(textByPath)) {
    await mkdir(join(treeDir, dirname(path)), { recursive: true })
    await writeFile(join(treeDir, path), text)
  }
  const versionByPackage: Record<string, string> = {}
  for (const packageName of ['typebox', 'better-sqlite3', 'kysely', 'dexie', 'firebase', 'tone', 'react', 'fastify', 'vitest']) {
    const packageFolder = join(treeDir, 'node_modules', packageName)
    await mkdir(packageFolder, { recursive: true })
    await writeFile(join(packageFolder, 'package.json'), JSON.stringify({ name: packageName, main: 'index.js' }))
    await writeFile(join(packageFolder, 'index.js'), '')
    if (packageName !== 'vitest') versionByPackage[packageName] = '*'
  }
  await writeFile(join(treeDir, 'package.json'), JSON.stringify({ dependencies: versionByPackage, devDependencies: { vitest: '*' } }))
  return treeDir
}

beforeAll(async () => {
  const files = { ...validCodeByPath, ...cycleCodeByPath, ...Object.fromEntries(plantedFiles.map(([, path, text]) => [path, text])) }
  foundViolations = (await checkBoundaries(await writeTree(files))).violations
})
afterAll(() => Promise.all(tempDirs.map((directory) => rm(directory, { recursive: true, force: true }))))

it.each(plantedFiles)('boundary rules: %s catches %s', (rule, path) => {
  expect(foundViolations.filter((each) => each.from === path).map((each) => each.rule)).toContain(rule)
})

it('boundary rules: every rule has a planted violation', () => {
  expect(new Set(plantedFiles.map(([rule]) => rule))).toEqual(
    new Set([...[...importRules, ...runtimeRules].map((rule) => rule.name), folderCycleRule]),
  )
})

it('boundary rules: a tree that follows the rules has no violation', async () => {
  expect((await checkBoundaries(await writeTree(validCodeByPath))).violations).toEqual([])
})

it('boundary rules: a tree without files is an error', async () => {
  await expect(checkBoundaries(await writeTree({ 'README.md': '' }))).rejects.toThrow('0 of 0 files')
})
