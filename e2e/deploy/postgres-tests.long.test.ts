import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, vi } from 'vitest'
import { startPostgresCluster } from './postgres-cluster.ts'

// Runs the tests of own playlists, followed artists, pushes, presets, moderation and websites on a real PostgreSQL (Debian's package `postgresql`).

const workFolder = await mkdtemp(join(tmpdir(), 'varispeed-postgres-tests-'))
// Databases are created and dropped for each test, and no test needs them after a failure of the machine.
const postgresCluster = await startPostgresCluster(workFolder, ['fsync=off', 'full_page_writes=off', 'max_wal_size=4GB'])
vi.stubEnv('TEST_POSTGRES_URL', postgresCluster.getUrl('postgres'))
afterAll(async () => {
  await postgresCluster.stop()
  rmSync(workFolder, { recursive: true, force: true })
})

const testFiles = [
  ...['own-playlists/store', 'own-playlists/routes', 'own-playlists/limits', 'own-playlists/imports', 'follows/store', 'follows/routes'],
  ...['push/new-song-pushes', 'push/routes', 'presets/store', 'presets/routes', 'moderation/store', 'moderation/commands'],
  'websites/store',
]
describe.each(testFiles)('PostgreSQL: server/%s.test.ts', async (testName) => {
  const file = join(import.meta.dirname, '../../server', `${testName}.test.ts`)
  await import(file)
})
