import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort, runAdminCommand, type Site, startSite } from '../server.ts'
import { startPostgresCluster } from './postgres-cluster.ts'
import { startRoundRobin } from './proxy-process.ts'

const DATABASE_NAME = 'paired'

/** Starts two built servers on one PostgreSQL, behind nginx, which sends requests to them alternately. To a test, the two servers are one site. */
export async function startPairedSite(env: Record<string, string> = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'varispeed-paired-'))
  const cluster = await startPostgresCluster(folder)
  cluster.createDatabase(DATABASE_NAME)
  const port = await findFreePort()
  const dataDir = join(folder, 'data')
  const shared = { ...env, DATA_DIR: dataDir, DATABASE_URL: cluster.urlOf(DATABASE_NAME) }
  const settings = { ...shared, PUBLIC_ORIGIN: `http://localhost:${port}`, TRUST_PROXY: '127.0.0.1' }
  const firstSite = await startSite(settings)
  const secondSite = await startSite(settings)
  const proxy = await startRoundRobin(folder, port, [firstSite.port, secondSite.port])
  return {
    ...{ port, dataDir, pid: firstSite.pid },
    origin: (subdomain) => `http://${subdomain === undefined ? '' : `${subdomain}.`}localhost:${port}`,
    admin: (...args) => runAdminCommand(dataDir, args, shared),
    readLog: () => firstSite.readLog() + secondSite.readLog(),
    stop: async () => {
      await proxy.stop()
      const codes = [await firstSite.stop(), await secondSite.stop()]
      await cluster.stop()
      await rm(folder, { recursive: true, force: true })
      return codes.find((code) => code !== 0) ?? 0
    },
  }
}
