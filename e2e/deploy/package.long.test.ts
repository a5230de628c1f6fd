import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFreePort } from '../server.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'
import { installStubSystemd } from './stub-systemd.ts'

// The Debian package and the tarball are installed, updated and rolled back in an empty Debian system, which `debootstrap` loads from Debian's servers.
// systemd does not run there: the server is started by the command of its service, and two processes on a PostgreSQL of this machine by a stub of systemctl.
// The test needs Linux, root and Debian's package `postgresql`.

const projectRoot = fileURLToPath(new URL('../..', import.meta.url))
const canInstall = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/sbin/debootstrap')
const SETTINGS_PATH = '/etc/varispeed/varispeed.env'

const workFolder = mkdtempSync(join(tmpdir(), 'varispeed-package-'))
const systemFolder = join(workFolder, 'system')
/** The files of two packages, of which the second is newer. */
const builtPackages: { debian: string; tarball: string }[] = []
const mountPoints = [
  ['-t', 'proc', 'proc', 'proc'],
  ['--bind', '/dev', '', 'dev'],
]

function runTimed<T>(stepLabel: string, runWork: () => T): T {
  const startMs = performance.now()
  const value = runWork()
  process.stdout.write(`${stepLabel}: ${((performance.now() - startMs) / 1000).toFixed(1)} s\n`)
  return value
}

function buildPackage(packageVersion: string): void {
  const packageEnv = { ...process.env, PACKAGE_VERSION: packageVersion }
  const commandOutput = runTimed(`package ${packageVersion}`, () =>
    execFileSync(process.execPath, ['scripts/package.mjs', join(workFolder, 'packages')], {
      cwd: projectRoot,
      env: packageEnv,
      encoding: 'utf8',
    }),
  )
  const [tarballPath = '', debianPath = ''] = commandOutput.trim().split('\n')
  builtPackages.push({ debian: debianPath, tarball: tarballPath })
  const measureMegabytes = (path: string) => Math.round(readFileSync(path).length / 1e6)
  process.stdout.write(`tarball ${measureMegabytes(tarballPath)} MB, Debian package ${measureMegabytes(debianPath)} MB\n`)
}

const systemEnv = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
const runInSystem = (...commandLine: string[]) =>
  execFileSync('chroot', [systemFolder, ...commandLine], { encoding: 'utf8', env: systemEnv })
const runAdmin = (...args: string[]) => runInSystem('varispeed-admin', ...args)
const readCurrentRelease = () => basename(runInSystem('readlink', '/opt/varispeed/current').trim())

let port = 0
let serverProcess: ChildProcess | undefined
const isServerRunning = () => serverProcess?.exitCode === null && serverProcess.signalCode === null
/** Starts the server as the service does, without systemd. */
async function startServer(): Promise<void> {
  const unitText = readFileSync(join(systemFolder, 'etc/systemd/system/varispeed.service'), 'utf8')
  const readSetting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unitText)?.[1] ?? ''
  const startCommand = `cd ${readSetting('WorkingDirectory')}; set -a; . ${readSetting('EnvironmentFile')}; exec ${readSetting('ExecStart')}`
  port = await findFreePort()
  serverProcess = spawn('chroot', [systemFolder, 'runuser', '-u', 'varispeed', '--', 'sh', '-c', startCommand], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, PORT: String(port) },
  })
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200), {
    timeout: 60_000,
    interval: 200,
  })
  // A server that could not take its port has ended, and another program has answered.
  expect(isServerRunning()).toBe(true)
}
async function stopServer(): Promise<void> {
  if (serverProcess !== undefined && isServerRunning()) {
    const serverExit = once(serverProcess, 'exit')
    // The program in the system is the child of `runuser`, which passes the signal on.
    serverProcess.kill('SIGTERM')
    await serverExit
  }
  serverProcess = undefined
}

describe.skipIf(!canInstall)('a package in an empty Debian system (needs Linux, root and debootstrap)', () => {
  beforeAll(async () => {
    for (const version of ['0.1.0+1', '0.1.0+2']) buildPackage(version)
    runTimed('debootstrap', () => execFileSync('debootstrap', ['--variant=minbase', 'bookworm', systemFolder], { stdio: 'ignore' }))
    for (const [type = '', kind = '', device = '', path = ''] of mountPoints)
      execFileSync('mount', [type, kind, ...(device === '' ? [] : [device]), join(systemFolder, path)])
    execFileSync('cp', [...builtPackages.flatMap(({ debian, tarball }) => [debian, tarball]), join(systemFolder, 'root')])
  }, 30 * 60_000)
  afterAll(async () => {
    await stopServer()
    for (const [, , , path = ''] of mountPoints.toReversed()) execFileSync('umount', [join(systemFolder, path)])
    rmSync(workFolder, { recursive: true, force: true })
  })
  const resolveSystemPath = (path = '') => `/root/${basename(path)}`

  test('one command installs the package, and the server runs without a compiler, npm or Node on the system', async () => {
    const commandOutput = runTimed('installation', () => runInSystem('dpkg', '-i', resolveSystemPath(builtPackages[0]?.debian)))
    expect(commandOutput).toContain(`installed 0.1.0+1. Next: the host names in ${SETTINGS_PATH}`)
    expect(readdirSync(join(systemFolder, 'usr/bin')).filter((name) => /^(node|npm|gcc|python3)$/.test(name))).toEqual([])
    const startMs = performance.now()
    await startServer()
    process.stdout.write(`from the start to the first answer: ${((performance.now() - startMs) / 1000).toFixed(1)} s\n`)
    const page = await (await fetch(`http://127.0.0.1:${port}/`)).text()
    expect(page).toContain('<h1')
    expect((await fetch(`http://127.0.0.1:${port}/favicon.ico`)).status).toBe(200)
    runAdmin('user', 'create', '--email', 'ann@example.com', '--password', 'secret words')
    expect(runAdmin('check')).toBe('Everything is in order.\n')
    expect(runInSystem('stat', '-c', '%U %a', '/var/lib/varispeed')).toBe('varispeed 700\n')
    expect(runInSystem('stat', '-c', '%G %a', SETTINGS_PATH)).toBe('varispeed 640\n')
  })

  test('the log of the machine ends after a month, and the example files have the paths of a checkout', () => {
    expect(runInSystem('cat', '/etc/systemd/journald.conf.d/varispeed.conf')).toContain('\nMaxRetentionSec=1month\n')
    expect(runInSystem('readlink', '/opt/varispeed/deploy')).toBe('current/deploy\n')
    for (const name of ['Caddyfile', 'nginx.conf', 'nginx-proxy.conf', 'prometheus-rules.yml'])
      expect(existsSync(join(systemFolder, 'opt/varispeed/releases/0.1.0+1/deploy', name)), name).toBe(true)
  })

  test('the admin command runs as the user of the service: root becomes that user, and others ask sudo', () => {
    const sudoPath = join(systemFolder, 'usr/local/bin/sudo')
    writeFileSync(sudoPath, '#!/bin/sh\necho "sudo $*"\n', { mode: 0o755 })
    expect(runInSystem('runuser', '-u', 'nobody', '--', 'varispeed-admin', 'user', 'list')).toBe(
      'sudo -u varispeed /usr/local/bin/varispeed-admin user list\n',
    )
    rmSync(sudoPath)
    expect(runInSystem('runuser', '-u', 'varispeed', '--', 'varispeed-admin', 'user', 'list')).toContain('ann@example.com')
  })

  test('one command updates the package after a backup, and settings and data stay', async () => {
    await stopServer()
    runInSystem('sh', '-c', `echo MAIL_TO=team@example.org >> ${SETTINGS_PATH}`)
    runInSystem('sed', '-i', '$aReadWritePaths=/srv', '/etc/systemd/system/varispeed.service')
    runInSystem('sh', '-c', 'echo "# shorter" >> /etc/systemd/journald.conf.d/varispeed.conf')
    const commandOutput = runTimed('update', () => runInSystem('dpkg', '-i', resolveSystemPath(builtPackages[1]?.debian)))
    expect(commandOutput).toContain('rows and')
    expect(commandOutput).toContain('updated to 0.1.0+2')
    expect(readCurrentRelease()).toBe('0.1.0+2')
    expect(readFileSync(join(systemFolder, SETTINGS_PATH), 'utf8')).toContain('MAIL_TO=team@example.org')
    expect(commandOutput).toContain('varispeed.service.edited. Changes outlive an update in a drop-in: systemctl edit varispeed\n')
    expect(runInSystem('cat', '/etc/systemd/system/varispeed.service')).not.toContain('ReadWritePaths')
    expect(runInSystem('cat', '/etc/systemd/system/varispeed.service.edited')).toContain('ReadWritePaths=/srv')
    expect(runInSystem('cat', '/etc/systemd/journald.conf.d/varispeed.conf')).toContain('# shorter')
    await startServer()
    expect(runAdmin('user', 'list')).toContain('ann@example.com')
    runAdmin('user', 'create', '--email', 'bob@example.com', '--password', 'secret words')
    await stopServer()
  })

  test('one command rolls the update back: with all data, or, if it has changed the database, with the data before it', async () => {
    expect(runInSystem('varispeed-setup', 'rollback')).toContain('returned to 0.1.0+1')
    expect(readCurrentRelease()).toBe('0.1.0+1')
    expect(runAdmin('user', 'list')).toContain('bob@example.com')

    // Updates again, by the tarball, and imitates a release that has migrated the database.
    const packageName = basename(builtPackages[1]?.tarball ?? '', '.tar.gz')
    runInSystem('tar', '-C', '/root', '-xzf', resolveSystemPath(builtPackages[1]?.tarball))
    expect(runInSystem(`/root/${packageName}/deploy/varispeed-setup`)).toContain('updated to 0.1.0+2')
    const programText = `const { DatabaseSync } = require('node:sqlite')
      new DatabaseSync('/var/lib/varispeed/varispeed.sqlite').exec("insert into migrations (name, applied) values ('999-later', 1); delete from accounts")`
    runInSystem('runuser', '-u', 'varispeed', '--', '/opt/varispeed/current/node/bin/node', '-e', programText)
    const commandOutput = runTimed('rollback with a restore', () => runInSystem('varispeed-setup', 'rollback'))
    expect(commandOutput).toContain('because the update had changed the database')
    expect(runAdmin('user', 'list')).toContain('bob@example.com')
    await startServer()
    await stopServer()
    expect(() => runInSystem('varispeed-setup', 'rollback')).toThrow('there is no release to return to')
  })

  describe('two processes on PostgreSQL, with DATA_DIR in another folder', () => {
    const newerFolder = () => `/root/${basename(builtPackages[1]?.tarball ?? '', '.tar.gz')}`
    const ports: number[] = []
    const databaseFolder = mkdtempSync(join(tmpdir(), 'varispeed-package-database-'))
    let cluster: PostgresCluster
    let systemd: ReturnType<typeof installStubSystemd>
    const listInstances = () => ports.map((each) => `varispeed@${each}.service`)
    const isReady = async (readyPort: number) =>
      (await fetch(`http://127.0.0.1:${readyPort}/healthz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined))?.ok === true
    const listEmails = () => cluster.query('site', 'select email from accounts order by 1').split('\n')
    const listBackups = () => readdirSync(join(systemFolder, 'srv/site')).filter((name) => name.endsWith('.backup'))

    /** Runs a command in the system. Returns its output, and whether one of the processes was ready each time that both were asked meanwhile. */
    async function runWhileAsking(...commandLine: string[]) {
      const running = promisify(execFile)('chroot', [systemFolder, ...commandLine], { env: systemEnv }).then(
        ({ stdout, stderr }) => ({ output: stdout + stderr, failed: false }),
        ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ output: stdout + stderr, failed: true }),
      )
      let isRunning = true
      void running.then(() => {
        isRunning = false
      })
      let wasAlwaysReady = true
      while (isRunning) {
        if (!(await Promise.all(ports.map(isReady))).includes(true)) wasAlwaysReady = false
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      return { ...(await running), wasAlwaysReady }
    }

    beforeAll(async () => {
      cluster = await startPostgresCluster(databaseFolder, ['fsync=off'])
      cluster.query('postgres', 'create role site login')
      cluster.createDatabase('site', '--owner', 'site')
      for (const _ of ['first', 'second']) ports.push(await findFreePort())
      const databaseUrl = cluster.getUrl('site').replace('//varispeed@', '//site@')
      runInSystem('install', '-d', '-o', 'varispeed', '-g', 'varispeed', '-m', '700', '/srv/site')
      runInSystem('sed', '-i', `s|^DATA_DIR=.*|DATA_DIR='/srv/site'|; $aDATABASE_URL=${databaseUrl}`, SETTINGS_PATH)
      // The newer release has a further migration.
      for (const name of ['admin.js', 'main.js']) {
        const path = join(systemFolder, newerFolder(), 'dist/server', name)
        const programText = readFileSync(path, 'utf8')
        const changedText = programText.replace(
          /(\nvar migrations = \[[^;]*?)\n\];/,
          '$1,\n  { name: "999-later", statements: () => ["create table later_rows (id bigint primary key)", "alter table accounts add column later text"] }\n];',
        )
        expect(changedText).not.toBe(programText)
        writeFileSync(path, changedText)
      }
      systemd = installStubSystemd(systemFolder)
      runInSystem('systemctl', 'start', ...listInstances())
      await vi.waitFor(async () => expect(await Promise.all(ports.map(isReady))).toEqual([true, true]), { timeout: 60_000, interval: 300 })
      runAdmin('user', 'create', '--email', 'carol@example.com', '--password', 'secret words')
      systemd.readChanges()
    }, 5 * 60_000)
    afterAll(async () => {
      systemd?.remove()
      await cluster?.stop()
      rmSync(databaseFolder, { recursive: true, force: true })
    })

    async function update(): Promise<void> {
      const { output, failed, wasAlwaysReady } = await runWhileAsking(`${newerFolder()}/deploy/varispeed-setup`)
      expect(output).toContain('updated to 0.1.0+2')
      expect(failed).toBe(false)
      expect(wasAlwaysReady).toBe(true)
      expect(systemd.readChanges()).toEqual(listInstances().map((name) => `restart ${name}`))
      expect(await Promise.all(ports.map(isReady))).toEqual([true, true])
      expect(cluster.query('site', "select name from migrations where name = '999-later'")).toBe('999-later')
      expect(listBackups()).toContain('before-0.1.0+2.backup')
    }

    test('an update makes a backup in DATA_DIR and restarts one process after the other', update)

    test('a rollback that fails starts the processes again with the release whose database it is', async () => {
      runAdmin('user', 'create', '--email', 'dave@example.com', '--password', 'secret words')
      cluster.query('site', 'set role site; create view other_view as select later from accounts')
      const { output, failed } = await runWhileAsking('varispeed-setup', 'rollback')
      expect(failed).toBe(true)
      expect(output).toContain('The data are unchanged, and 0.1.0+2 is started again')
      expect(readCurrentRelease()).toBe('0.1.0+2')
      expect(await Promise.all(ports.map(isReady))).toEqual([true, true])
      expect(listEmails()).toEqual(['carol@example.com', 'dave@example.com'])
      expect(systemd.readChanges().filter((call) => / varispeed(?:\.service)?$/.test(call))).toEqual([])
      cluster.query('site', 'drop view other_view')
    })

    test('a rollback restores the database that the update has changed, after a backup by the newer release', async () => {
      cluster.query('site', 'set role site; create table other_program (id bigint primary key); insert into other_program values (7)')
      const backupsBefore = listBackups()
      const { output, failed } = await runWhileAsking('varispeed-setup', 'rollback')
      expect(output).toContain('because the update had changed the database')
      expect(output).toContain('returned to 0.1.0+1')
      expect(failed).toBe(false)
      expect(systemd.readChanges()).toEqual([
        `stop varispeed.service ${listInstances().join(' ')}`,
        ...listInstances().map((name) => `restart ${name}`),
      ])
      expect(await Promise.all(ports.map(isReady))).toEqual([true, true])
      expect(listEmails()).toEqual(['carol@example.com'])
      expect(cluster.query('site', 'select id from other_program')).toBe('7')
      expect(cluster.query('site', "select to_regclass('later_rows') is null")).toBe('t')
      expect(runAdmin('check')).toBe('Everything is in order.\n')
      expect(listBackups()).toHaveLength(backupsBefore.length + 1)
      expect(listBackups().filter((name) => name.startsWith('before-rollback-')).length).toBeGreaterThan(0)
    })

    test('an update that is rolled back without a change of the database is without a pause, too', async () => {
      await update()
      cluster.query(
        'site',
        "delete from migrations where name = '999-later'; drop table later_rows; alter table accounts drop column later",
      )
      const { output, wasAlwaysReady } = await runWhileAsking('varispeed-setup', 'rollback')
      expect(output).toContain('returned to 0.1.0+1')
      expect(output).not.toContain('the data are those of')
      expect(wasAlwaysReady).toBe(true)
      expect(systemd.readChanges()).toEqual(listInstances().map((name) => `restart ${name}`))
    })

    test('an update whose first process does not start leaves the others running, and can be rolled back', async () => {
      writeFileSync(join(systemFolder, newerFolder(), 'dist/server/main.js'), 'process.exit(1)')
      const updated = await runWhileAsking('env', 'START_SECONDS=2', `${newerFolder()}/deploy/varispeed-setup`)
      const [firstInstance = ''] = listInstances()
      expect(updated.output).toContain(`${firstInstance} does not answer, and those after it were not restarted`)
      expect(updated).toMatchObject({ failed: true, wasAlwaysReady: true })
      expect(systemd.readChanges()).toEqual([`restart ${firstInstance}`])
      expect(await Promise.all(ports.map(isReady))).toEqual([false, true])
      const rolledBack = await runWhileAsking('varispeed-setup', 'rollback')
      expect(rolledBack.output).toContain('returned to 0.1.0+1')
      expect(rolledBack).toMatchObject({ failed: false, wasAlwaysReady: true })
      expect(await Promise.all(ports.map(isReady))).toEqual([true, true])
      systemd.readChanges()
    })

    test('the removed package stops all processes', () => {
      runInSystem('dpkg', '--remove', 'varispeed')
      expect(systemd.readChanges()).toEqual([`disable --now varispeed.service ${listInstances().join(' ')}`])
    })
  })

  test('a removed package leaves the data and the settings', () => {
    runInSystem('dpkg', '--purge', 'varispeed')
    for (const path of ['opt/varispeed', 'etc/systemd/system/varispeed@.service', 'etc/systemd/journald.conf.d/varispeed.conf'])
      expect(existsSync(join(systemFolder, path)), path).toBe(false)
    expect(existsSync(join(systemFolder, 'var/lib/varispeed/varispeed.sqlite'))).toBe(true)
    expect(existsSync(join(systemFolder, SETTINGS_PATH))).toBe(true)
  })
})
