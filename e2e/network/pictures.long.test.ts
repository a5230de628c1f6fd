import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PLACEHOLDER_COVER_HEADER } from '../../contract/caches.ts'
import { bundleProgram } from '../../server/testing/bundle-program.ts'
import { createMinimalEnvironment, runAdminCommand, serverScriptPath } from '../server.ts'
import { createCertificate } from '../stand-ins/certificate.ts'

// The built server runs in a network namespace of Linux (ip-netns(8)), whose internet is a few addresses of the loopback interface. Nothing
// leaves the machine. The namespace requires root and Debian's package `iproute2`.

const canMakeNamespaces = process.platform === 'linux' && process.getuid?.() === 0

const NAMESPACE = `varispeed-${process.pid}`
const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

const SERVED_IPV4_ADDRESS = '93.184.216.34'
const SERVED_IPV6_ADDRESS = '2606:2800:220:1::34'
/** The address of a machine that runs no server. */
const REFUSING_ADDRESS = '93.184.216.35'
/** An address to which packets are lost without a reply. */
const SILENT_ADDRESS = '93.184.216.36'
/** Addresses to which no route exists. */
const UNREACHABLE_ADDRESS = '93.184.217.1'
const UNREACHABLE_IPV6_ADDRESS = '2606:2800:221::1'

const fetchedHosts = {
  'plain.example': [SERVED_IPV4_ADDRESS],
  'first-unreachable.example': [UNREACHABLE_ADDRESS, SERVED_IPV4_ADDRESS],
  'first-refusing.example': [REFUSING_ADDRESS, SERVED_IPV4_ADDRESS],
  'first-silent.example': [SILENT_ADDRESS, SERVED_IPV4_ADDRESS],
  'ipv6-only.example': [SERVED_IPV6_ADDRESS],
  'ipv6-unreachable.example': [UNREACHABLE_IPV6_ADDRESS, SERVED_IPV4_ADDRESS],
  'ipv4-unreachable.example': [UNREACHABLE_ADDRESS, SERVED_IPV6_ADDRESS],
}
const failingHosts = {
  'unreachable.example': [UNREACHABLE_ADDRESS],
  'both-unreachable.example': [UNREACHABLE_ADDRESS, UNREACHABLE_IPV6_ADDRESS],
  'refusing.example': [REFUSING_ADDRESS],
  'silent.example': [SILENT_ADDRESS],
  'without-addresses.example': [],
  'inside.example': ['127.0.0.1'],
  'half-inside.example': [SERVED_IPV4_ADDRESS, '10.0.0.1'],
}
const readHostId = (host: string) => host.replace('.example', '')

const runIp = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' })
const createNamespaceArgs = (...args: string[]) => ['netns', 'exec', NAMESPACE, process.execPath, ...args]

interface PictureAnswer {
  status: number
  isDrawn: boolean
  body: Buffer
}

/** Requests a path of the server from a process in the server's namespace. */
function requestInNamespace(urlPath: string): PictureAnswer {
  const fetchScript = `const response = await fetch('http://127.0.0.1:8080${urlPath}', { headers: { accept: 'image/webp' } })
    const body = Buffer.from(await response.arrayBuffer()).toString('base64')
    console.log(JSON.stringify({ status: response.status, isDrawn: response.headers.has('${PLACEHOLDER_COVER_HEADER}'), body }))`
  const { body, ...answer } = JSON.parse(
    execFileSync('ip', createNamespaceArgs('--input-type=module', '-e', fetchScript), { encoding: 'utf8' }),
  )
  return { ...answer, body: Buffer.from(body, 'base64') }
}

describe.skipIf(!canMakeNamespaces)('pictures of other hosts (needs Linux and root)', () => {
  const childProcesses: ChildProcess[] = []
  let workFolder = ''
  let serverProcess: ChildProcess
  let logText = ''

  function startProcess(args: string[], env: Record<string, string>): ChildProcess {
    const childProcess = spawn('ip', createNamespaceArgs(...args), {
      cwd: projectRoot,
      env: createMinimalEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    childProcesses.push(childProcess)
    for (const stream of [childProcess.stdout, childProcess.stderr])
      stream?.on('data', (chunk: Buffer) => {
        logText += chunk.toString()
      })
    return childProcess
  }

  beforeAll(async () => {
    workFolder = await mkdtemp(join(tmpdir(), 'varispeed-network-'))
    await mkdir(`/etc/netns/${NAMESPACE}`, { recursive: true })
    await writeFile(`/etc/netns/${NAMESPACE}/resolv.conf`, 'nameserver 127.0.0.1\n')
    runIp('netns', 'add', NAMESPACE)
    runIp('-n', NAMESPACE, 'link', 'set', 'lo', 'up')
    for (const address of [`${SERVED_IPV4_ADDRESS}/32`, `${REFUSING_ADDRESS}/32`, `${SERVED_IPV6_ADDRESS}/128`])
      runIp('-n', NAMESPACE, 'address', 'add', address, 'dev', 'lo')
    // The other end of this pair of interfaces drops every packet, because it has no address.
    runIp('-n', NAMESPACE, 'link', 'add', 'drop', 'type', 'veth', 'peer', 'name', 'end')
    for (const name of ['drop', 'end']) runIp('-n', NAMESPACE, 'link', 'set', name, 'arp', 'off', 'up')
    runIp('-n', NAMESPACE, 'route', 'add', `${SILENT_ADDRESS}/32`, 'dev', 'drop')

    const allHosts = { ...fetchedHosts, ...failingHosts }
    const { key, cert } = await createCertificate(Object.keys(allHosts))
    const [keyFile, certFile] = [join(workFolder, 'key.pem'), join(workFolder, 'cert.pem')]
    await writeFile(keyFile, key)
    await writeFile(certFile, cert)
    const internetSettings = { hosts: allHosts, servedAddresses: [SERVED_IPV4_ADDRESS, SERVED_IPV6_ADDRESS], keyFile, certFile }
    startProcess([await bundleProgram(new URL('namespace-peers.ts', import.meta.url)), JSON.stringify(internetSettings)], {})
    await vi.waitUntil(() => logText.includes('ready\n'), 60_000)

    const dataDir = join(workFolder, 'data')
    await mkdir(dataDir)
    await chmod(dataDir, 0o755)
    const playlists = Object.keys(allHosts).map((host) => ({
      id: readHostId(host),
      title: host,
      category_id: 'a',
      category_name: 'A',
      image_url: `https://${host}/picture.png`,
      songs: [],
    }))
    await writeFile(join(workFolder, 'catalogue.json'), JSON.stringify({ playlists }))
    await runAdminCommand(dataDir, ['catalog', 'import', join(workFolder, 'catalogue.json')])
    serverProcess = startProcess([serverScriptPath], { DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'warn', NODE_EXTRA_CA_CERTS: certFile })
    await vi.waitUntil(() => logText.includes('Varispeed is running'), 60_000)
  })

  afterAll(async () => {
    for (const childProcess of childProcesses) {
      if (childProcess.exitCode !== null || childProcess.signalCode !== null) continue
      childProcess.kill('SIGTERM')
      await once(childProcess, 'exit')
    }
    runIp('netns', 'delete', NAMESPACE)
    await rm(`/etc/netns/${NAMESPACE}`, { recursive: true, force: true })
    await rm(workFolder, { recursive: true, force: true })
  })

  it.each(Object.keys(fetchedHosts))('a picture is fetched: %s', async (host) => {
    const urlPath = `/img/playlist/${readHostId(host)}/640`
    await vi.waitUntil(() => !requestInNamespace(urlPath).isDrawn, 60_000)
    const { status, body } = requestInNamespace(urlPath)
    const { channels } = await sharp(body).stats()
    expect(status).toBe(200)
    expect(channels.map(({ mean }) => Math.round(mean / 255))).toEqual([0, 1, 0])
  })

  it.each(Object.keys(failingHosts))('a cover is drawn instead of the picture: %s', (host) => {
    for (let attempt = 0; attempt < 3; attempt++)
      expect(requestInNamespace(`/img/playlist/${readHostId(host)}/640`)).toMatchObject({ status: 200, isDrawn: true })
  })

  it('after all faults the server still runs and has logged no error', () => {
    expect(requestInNamespace('/healthz').status).toBe(200)
    expect(serverProcess.exitCode).toBeNull()
    expect(logText).not.toMatch(/"level":[56]0/)
  })

  it("only the server's user can read its files, even in a folder that others may read", async () => {
    const dataDir = join(workFolder, 'data')
    for (const name of await readdir(dataDir, { recursive: true })) {
      const stats = await stat(join(dataDir, name))
      expect([name, (stats.mode & 0o777).toString(8)]).toEqual([name, stats.isDirectory() ? '700' : '600'])
    }
  })
})
