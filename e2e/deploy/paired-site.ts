import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort, runAdminCommand, type Site, startSite } from '../server.ts'
import { startPostgresCluster } from './postgres-cluster.ts'
import { startRoundRobin } from './proxy-process.ts'

const DATABASE_NAME = 'paired'

/** Starts two built servers on one PostgreSQL, behind nginx, which sends requests to them alternately. To a test, the two servers are one site. */
export async function startPairedSite(env: Record<string, string> = {}): Promise<Site> {
  const workFolder = await mkdtemp(join(tmpdir(), 'varispeed-paired-'))
  const postgresCluster = await startPostgresCluster(workFolder)
  postgresCluster.createDatabase(DATABASE_NAME)
  const port = await findFreePort()
  const dataDir = join(workFolder, 'data')
  const sharedEnv = { ...env, DATA_DIR: dataDir, DATABASE_URL: postgresCluster.getUrl(DATABASE_NAME) }
  const settings = { ...sharedEnv, PUBLIC_ORIGIN: `http://localhost:${port}`, TRUST_PROXY: '127.0.0.1' }
  const firstSite = await startSite(settings)
  const secondSite = await startSite(settings)
  const roundRobin = await startRoundRobin(workFolder, port, [firstSite.port, secondSite.port])
  return {
    ...{ port, dataDir, pid: firstSite.pid },
    origin: (subdomain) => `http://${subdomain === undefined ? '' : `${subdomain}.`}localhost:${port}`,
    runAdmin: (...args) => runAdminCommand(dataDir, args, sharedEnv),
    readLog: () => firstSite.readLog() + secondSite.readLog(),
    stop: async () => {
      await roundRobin.stop()
      const exitCodes = [await firstSite.stop(), await secondSite.stop()]
      await postgresCluster.stop()
      await rm(workFolder, { recursive: true, force: true })
      return exitCodes.find((code) => code !== 0) ?? 0
    },
  }
}
