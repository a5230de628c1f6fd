import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFreePort } from '../server.ts'

// The Debian package and the tarball are installed, updated and rolled back in an empty Debian system, which `debootstrap` loads from Debian's servers.
// systemd does not run there: the server is started by the command of its service. The test needs Linux and root.

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

const runInSystem = (...commandLine: string[]) =>
  execFileSync('chroot', [systemFolder, ...commandLine], {
    encoding: 'utf8',
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
  })
const runAdmin = (...args: string[]) => runInSystem('varispeed-admin', ...args)
const readCurrentRelease = () => basename(runInSystem('readlink', '/opt/varispeed/current').trim())

let port = 0
let serverProcess: ChildProcess | undefined
/** Starts the server as the service does, without systemd. */
async function startServer(): Promise<void> {
  const unitText = readFileSync(join(systemFolder, 'etc/systemd/system/varispeed.service'), 'utf8')
  const readSetting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unitText)?.[1] ?? ''
  const startCommand = `cd ${readSetting('WorkingDirectory')}; set -a; . ${readSetting('EnvironmentFile')}; exec ${readSetting('ExecStart')}`
  serverProcess = spawn('chroot', [systemFolder, 'runuser', '-u', 'varispeed', '--', 'sh', '-c', startCommand], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, PORT: String(port) },
  })
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200), {
    timeout: 60_000,
    interval: 200,
  })
}
async function stopServer(): Promise<void> {
  if (serverProcess === undefined) return
  const serverExit = once(serverProcess, 'exit')
  // The program in the system is the child of `runuser`, which passes the signal on.
  serverProcess.kill('SIGTERM')
  await serverExit
  serverProcess = undefined
}

describe.skipIf(!canInstall)('a package in an empty Debian system (needs Linux, root and debootstrap)', () => {
  beforeAll(async () => {
    for (const version of ['0.1.0+1', '0.1.0+2']) buildPackage(version)
    runTimed('debootstrap', () => execFileSync('debootstrap', ['--variant=minbase', 'bookworm', systemFolder], { stdio: 'ignore' }))
    for (const [type = '', kind = '', device = '', path = ''] of mountPoints)
      execFileSync('mount', [type, kind, ...(device === '' ? [] : [device]), join(systemFolder, path)])
    execFileSync('cp', [...builtPackages.flatMap(({ debian, tarball }) => [debian, tarball]), join(systemFolder, 'root')])
    port = await findFreePort()
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

  test('one command updates the package after a backup, and settings and data stay', async () => {
    await stopServer()
    runInSystem('sh', '-c', `echo MAIL_TO=team@example.org >> ${SETTINGS_PATH}`)
    const commandOutput = runTimed('update', () => runInSystem('dpkg', '-i', resolveSystemPath(builtPackages[1]?.debian)))
    expect(commandOutput).toContain('rows and')
    expect(commandOutput).toContain('updated to 0.1.0+2')
    expect(readCurrentRelease()).toBe('0.1.0+2')
    expect(readFileSync(join(systemFolder, SETTINGS_PATH), 'utf8')).toContain('MAIL_TO=team@example.org')
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

  test('a removed package leaves the data and the settings', () => {
    runInSystem('dpkg', '--purge', 'varispeed')
    expect(existsSync(join(systemFolder, 'opt/varispeed'))).toBe(false)
    expect(existsSync(join(systemFolder, 'var/lib/varispeed/varispeed.sqlite'))).toBe(true)
    expect(existsSync(join(systemFolder, SETTINGS_PATH))).toBe(true)
  })
})
