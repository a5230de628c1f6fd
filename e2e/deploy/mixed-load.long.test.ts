import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runAdminCommand } from '../server.ts'
import { createFastProcessOptions, type FastClock, readMemory } from './fast-process.ts'
import { type NetworkLink, startNetworkLink } from './network-link.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'
import { createRandom, createRecordingClient, type LoadRun, type RecordingClient } from './recording-client.ts'
import { PROCESS_INDEXES, startTwoProcessSite, type TwoProcessSite } from './two-process-site.ts'

// Two built servers on one PostgreSQL behind nginx, under load and faults: kills of a process, restarts of the database, network cuts and full disks. Each
// write that was acknowledged must be kept. The clocks and timers of both servers run six times as fast, so that ten minutes are an hour for them.
// Needs Linux, root (to mount small disks), and Debian's packages `postgresql`, `nginx` and `ffmpeg`.

const { LOAD_MINUTES = '10', LOAD_SEED = String(Math.trunc(Math.random() * 2 ** 31)), LOAD_SPEED = '6' } = process.env
const RUN_MINUTES = Number(LOAD_MINUTES)
const SEED = Number(LOAD_SEED)
const CLOCK_SPEED = Number(LOAD_SPEED)
const CLIENT_COUNT = 12
/** The clients that have a website and convert songs. */
const SUBSCRIBER_COUNT = 6
const SONG_COUNT = 300
const ARTIST_COUNT = 60
const PLAYLIST_ID = 'all-songs'
const DATABASE_NAME = 'loaded'
/** The size of each disk. A disk takes only as much memory as its stored data. A conversion needs space for all samples of its song. */
const DISK_SIZE_MB = 3000
const BYTES_PER_MIB = 1024 ** 2
/**
 * In each half of the test, one of the two server processes is never ended. At the end of the half, it may use at most this much more memory
 * than after a fifth of the half, because caches are bounded.
 */
const HEAP_GROWTH_MAX_MB = 80

const canMount = process.platform === 'linux' && process.getuid?.() === 0

describe.skipIf(!canMount)(`${RUN_MINUTES} minutes of mixed load, seed ${SEED}`, () => {
  const clock: FastClock = { fromMs: Date.now(), speed: CLOCK_SPEED }
  const random = createRandom(SEED)
  const drawRandomBelow = (limit: number) => Math.floor(random() * limit)
  const diskPaths: string[] = []
  let workFolder = ''
  let cluster: PostgresCluster
  let site: TwoProcessSite
  /** The connections of each process to the database, and those of nginx to each process. */
  const databaseLinks: NetworkLink[] = []
  const processLinks: NetworkLink[] = []
  let run: LoadRun
  let recordingClients: RecordingClient[] = []

  async function mountDisk(diskName: string): Promise<string> {
    const filePath = join(workFolder, diskName)
    await mkdir(filePath)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE_MB}m`, 'tmpfs', filePath])
    diskPaths.push(filePath)
    return filePath
  }
  const countRows = (sql: string) => Number(cluster.query(DATABASE_NAME, sql))

  beforeAll(async () => {
    process.stdout.write(`LOAD_MINUTES=${RUN_MINUTES} LOAD_SEED=${SEED} LOAD_SPEED=${CLOCK_SPEED}\n`)
    workFolder = await mkdtemp(join(tmpdir(), 'varispeed-load-'))
    // The database server runs as another user.
    await chmod(workFolder, 0o755)
    cluster = await startPostgresCluster(await mountDisk('database'), ['max_wal_size=64MB', 'min_wal_size=32MB'])
    cluster.createDatabase(DATABASE_NAME)
    for (const _ of PROCESS_INDEXES) databaseLinks.push(await startNetworkLink(cluster.port))
    const settings = {
      ...(await createFastProcessOptions(workFolder, clock)),
      ...{ DATA_DIR: await mountDisk('data'), DEMO: 'off', DATABASE_URL: cluster.getUrl(DATABASE_NAME) },
      ...{ RATE_LIMIT_WRITES: '1000000', RATE_LIMIT_CONVERSIONS: '1000000', RATE_LIMIT_LOGIN_ADDRESS: '1000000' },
    }
    const createDatabaseUrl = (index: number) =>
      cluster.getUrl(DATABASE_NAME).replace(`:${cluster.port}/`, `:${databaseLinks[index]?.port}/`)
    site = await startTwoProcessSite(workFolder, settings, {
      createEnv: (index) => ({ DATABASE_URL: createDatabaseUrl(index) }),
      // The time limit of a connection to the database is 1.7 s here (10 s divided by the speed), which a start exceeds on a busy machine.
      startAttemptCount: 5,
      choosePortForNginx: async (port) => {
        const link = await startNetworkLink(port)
        processLinks.push(link)
        return link.port
      },
    })
    const songIds = Array.from({ length: SONG_COUNT }, (_, number) => `song_${String(number).padStart(6, '0')}`)
    const categoryFields = { category_id: 'a', category_name: 'A' }
    const catalogueFile = join(workFolder, 'catalogue.json')
    const artistNames = Array.from({ length: ARTIST_COUNT }, (_, number) => `Artist ${number}`)
    const commonFields = { date_added: '2026-01-01', duration: 200, ...categoryFields }
    const songRows = songIds.map((id, index) => ({
      youtube_id: id,
      title: id,
      author_name: artistNames[index % ARTIST_COUNT],
      ...commonFields,
    }))
    await writeFile(
      catalogueFile,
      JSON.stringify({ songs: songRows, playlists: [{ id: PLAYLIST_ID, title: 'All', ...categoryFields, songs: songIds }] }),
    )
    await runAdminCommand(site.dataDir, ['catalog', 'import', catalogueFile], { DATABASE_URL: cluster.getUrl(DATABASE_NAME) })
    run = { proxy: site.proxy, clock, songIds, artists: artistNames, playlistId: PLAYLIST_ID, countByStatus: {}, problems: [] }
    recordingClients = Array.from({ length: CLIENT_COUNT }, (_, index) => createRecordingClient(run, index, SEED + index + 1))
    for (const [index, recordingClient] of recordingClients.entries()) {
      const uid = await recordingClient.signUp()
      if (index >= SUBSCRIBER_COUNT) continue
      const grant = `insert into roles (email, role, source, uid) select email, 'subscriber', 'admin', uid from accounts where uid = '${uid}'`
      cluster.query(DATABASE_NAME, grant)
      await recordingClient.activateWebsite()
    }
  }, 300_000)
  afterAll(async () => {
    await site?.stop()
    for (const link of [...databaseLinks, ...processLinks]) await link.close()
    await cluster?.stop()
    for (const disk of diskPaths) execFileSync('umount', ['-l', disk])
    await rm(workFolder, { recursive: true, force: true })
  })

  /** Shrinks a disk to the size of its stored data for `durationMs`, so that writes fail. */
  async function fillDisk(filePath: string, durationMs: number): Promise<void> {
    const resizeDisk = (size: string) => execFileSync('mount', ['-o', `remount,size=${size}`, filePath], { stdio: 'ignore' })
    const { blocks, bfree, bsize } = await statfs(filePath)
    try {
      resizeDisk(`${Math.ceil(((blocks - bfree) * bsize) / 1024)}k`)
      await sleep(durationMs)
    } catch {
      // The disk cannot shrink to this size, because other processes have written more data since the measurement.
      return fillDisk(filePath, durationMs)
    }
    resizeDisk(`${DISK_SIZE_MB}m`)
  }

  /** Causes a fault of each kind, for a few seconds. `victim` is the index of the process that the faults `kill` and `stop` end. */
  const faultByName: Readonly<Record<string, (victim: number) => Promise<void>>> = {
    kill: (victim) => site.restart(victim, 'SIGKILL', drawRandomBelow(3000)),
    stop: (victim) => site.restart(victim, 'SIGTERM', drawRandomBelow(1000)),
    'database crash': async () => {
      await cluster.stop('immediate')
      await sleep(drawRandomBelow(5000))
      await cluster.start()
    },
    'database restart': async () => {
      await cluster.stop('fast')
      await cluster.start()
    },
    'database cut': async () => databaseLinks[drawRandomBelow(2)]?.cut(drawRandomBelow(4000)),
    'database stall': async () => databaseLinks[drawRandomBelow(2)]?.stall(drawRandomBelow(4000)),
    'process cut': async () => processLinks[drawRandomBelow(2)]?.cut(drawRandomBelow(2000)),
    'process stall': async () => processLinks[drawRandomBelow(2)]?.stall(drawRandomBelow(2000)),
    'full data disk': () => fillDisk(site.dataDir, 1000 + drawRandomBelow(4000)),
    'full database disk': async () => {
      await fillDisk(diskPaths[0] ?? '', 1000 + drawRandomBelow(4000))
      await sleep(1000)
      if (!cluster.isRunning()) await cluster.start()
    },
  }

  const memorySamples: { processIndex: number; minute: number; rssMb: number; heapMb: number }[] = []
  async function sampleMemory(processIndex: number, minuteIndex: number): Promise<void> {
    const memorySample = await readMemory(workFolder, site.sites[processIndex]?.pid ?? 0)
    if (memorySample === undefined) return
    const [rssMb, heapMb] = [memorySample.rss, memorySample.heapUsed].map((bytes) => Math.round(bytes / BYTES_PER_MIB))
    memorySamples.push({ processIndex, minute: Number(minuteIndex.toFixed(1)), rssMb: rssMb ?? 0, heapMb: heapMb ?? 0 })
  }

  /** Causes faults for half of the run, in which one process lives on while the other one is ended. Samples the memory of the surviving one. */
  async function causeFaults(processIndex: number, durationMinutes: number, countByFault: Record<string, number>): Promise<void> {
    const startMs = Date.now()
    const measureElapsedMinutes = () => (Date.now() - startMs) / 60_000
    const faultNames = Object.keys(faultByName)
    let nextSampleMinute = durationMinutes / 5
    while (measureElapsedMinutes() < durationMinutes) {
      const faultKind = faultNames[drawRandomBelow(faultNames.length)] ?? 'kill'
      countByFault[faultKind] = (countByFault[faultKind] ?? 0) + 1
      await faultByName[faultKind]?.(processIndex)
      await sleep(2000 + drawRandomBelow(5000))
      if (measureElapsedMinutes() < nextSampleMinute) continue
      await sampleMemory(1 - processIndex, measureElapsedMinutes())
      nextSampleMinute += durationMinutes / 5
    }
    await sampleMemory(1 - processIndex, measureElapsedMinutes())
  }

  test(
    'no acknowledged write is lost, no answer is a 500, memory stays flat, and every queue is empty at the end',
    async () => {
      const endController = new AbortController()
      const countByFault: Record<string, number> = {}
      const clientRuns = recordingClients.map((client) => client.run(endController.signal))
      for (const victim of PROCESS_INDEXES) await causeFaults(victim, RUN_MINUTES / 2, countByFault)
      endController.abort()
      await Promise.all(clientRuns)

      const countUnfinishedJobs = () => ({
        conversions: countRows("select count(*) from conversions where state in ('queued', 'running')"),
        mails: countRows('select count(*) from mails where due is not null'),
      })
      await vi.waitFor(() => expect(countUnfinishedJobs()).toEqual({ conversions: 0, mails: 0 }), { timeout: 600_000, interval: 1000 })
      const clientDifferences = (await Promise.all(recordingClients.map((client) => client.compare()))).flat()
      const sumCounts = (count: (client: RecordingClient) => number) => recordingClients.reduce((sum, client) => sum + count(client), 0)
      const acknowledgedMessages = recordingClients.flatMap(({ acknowledged }) => acknowledged.messages).sort()
      const acknowledgedEvents = recordingClients.flatMap(({ acknowledged }) => acknowledged.paymentEvents).sort()
      const loggedFailures = site
        .readLogs()
        .split('\n')
        .filter((line) => /a failure that nobody waited for|stopping after an unexpected error/.test(line))
      const runFigures = {
        ...{ seed: SEED, minutes: RUN_MINUTES, faults: countByFault, statuses: run.countByStatus, memory: memorySamples },
        acknowledged: {
          ...{
            favorites: sumCounts(({ acknowledged }) => acknowledged.favorites.size),
            plays: sumCounts(({ acknowledged }) => acknowledged.plays),
          },
          entries: sumCounts(({ acknowledged }) =>
            [...acknowledged.playlists.values()].reduce((sum, { entries }) => sum + entries.size, 0),
          ),
          ...{
            messages: acknowledgedMessages.length,
            events: acknowledgedEvents.length,
            accounts: sumCounts(({ acknowledged }) => acknowledged.accounts.size),
          },
          conversions: sumCounts(({ acknowledged }) => acknowledged.conversions.done.length),
          cancelled: sumCounts(({ acknowledged }) => acknowledged.conversions.cancelled.length),
        },
      }
      process.stdout.write(`${JSON.stringify(runFigures)}\n`)
      expect(clientDifferences).toEqual([])
      expect(run.problems.slice(0, 20)).toEqual([])
      expect(loggedFailures.slice(0, 5)).toEqual([])
      expect(cluster.query(DATABASE_NAME, "select message from contacts where topic = 'song-report'").split('\n').sort()).toEqual(
        acknowledgedMessages,
      )
      expect(cluster.query(DATABASE_NAME, 'select id from payment_events').split('\n').sort()).toEqual(acknowledgedEvents)
      expect(countRows('select coalesce(sum(plays), 0) from playlist_plays')).toBe(runFigures.acknowledged.plays)
      expect(cluster.query(DATABASE_NAME, 'select failure from mails where sent is null')).toBe('')
      expect((await readdir(join(site.dataDir, 'conversions'))).filter((file) => file.endsWith('.in'))).toEqual([])
      for (const index of PROCESS_INDEXES) {
        const heaps = memorySamples.filter((sample) => sample.processIndex === index).map(({ heapMb }) => heapMb)
        expect((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)).toBeLessThan(HEAP_GROWTH_MAX_MB)
      }
    },
    (2 * RUN_MINUTES + 20) * 60_000,
  )
})
