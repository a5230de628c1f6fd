import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findFreePort } from '../server.ts'
import { createCertificate } from '../stand-ins/certificate.ts'
import { readExample, replaceText } from './example-files.ts'
import type { ProxyAddress } from './proxy-requests.ts'

export interface RunningProxy extends ProxyAddress {
  readLog(): string
  stop(): Promise<void>
}

/** @throws Error if Debian's package with the program is not installed */
function requireProgram(programName: string): void {
  const { error } = spawnSync(programName, ['-h'], { stdio: 'ignore', env: { PATH: searchPath } })
  if (error !== undefined) throw new Error(`${programName} is not installed: apt-get install ${programName} (docs/testing.md)`)
}

const canConnect = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

/** Starts a proxy and waits until it listens. @throws Error with the proxy's log if it ends before it listens */
async function startProcess(programName: string, args: readonly string[], env: NodeJS.ProcessEnv, ports: readonly number[]) {
  const proxyProcess: ChildProcess = spawn(programName, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  const append = (chunk: Buffer) => {
    log += chunk.toString()
  }
  proxyProcess.stdout?.on('data', append)
  proxyProcess.stderr?.on('data', append)
  const stop = async () => {
    if (proxyProcess.exitCode !== null || proxyProcess.signalCode !== null) return
    proxyProcess.kill('SIGTERM')
    await once(proxyProcess, 'exit')
  }
  for (const port of ports) {
    while (!(await canConnect(port))) {
      if (proxyProcess.exitCode !== null) throw new Error(`${programName} exited with ${proxyProcess.exitCode}:\n${log}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return { readLog: () => log, stop }
}

/** Debian installs nginx in a folder that is not in the search path of normal users. */
const searchPath = `${process.env.PATH}:/usr/sbin`

const environmentOf = (dir: string): NodeJS.ProcessEnv => ({
  PATH: `${process.env.PATH}:/usr/sbin`,
  HOME: dir,
  XDG_DATA_HOME: dir,
  XDG_CONFIG_HOME: dir,
})

/** The user name and the password that the proxy requires by Basic authentication. */
export interface BasicLogin {
  name: string
  password: string
}

/** Removes the comment marks of the lines from `firstLine` to `lastLine`. */
function uncomment(example: string, firstLine: string, lastLine: string): string {
  const start = example.indexOf(firstLine)
  const end = example.indexOf(lastLine, start) + lastLine.length
  if (start < 0 || end < start) throw new Error(`The example has no lines from '${firstLine}' to '${lastLine}'`)
  return example.slice(0, start) + example.slice(start, end).replaceAll('# ', '') + example.slice(end)
}

/** Runs Caddy with the repository's example, on free ports and with certificates of Caddy's internal authority. */
export async function startCaddy(dir: string, serverPort: number, login?: BasicLogin): Promise<RunningProxy> {
  requireProgram('caddy')
  const [httpsPort, httpPort] = [await findFreePort(), await findFreePort()]
  const globalOptions = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttps_port ${httpsPort}\n\thttp_port ${httpPort}\n\n`
  let example = replaceText(await readExample('Caddyfile'), '127.0.0.1:8080', `127.0.0.1:${serverPort}`)
  if (login !== undefined) {
    const { stdout: hash } = spawnSync('caddy', ['hash-password', '--plaintext', login.password], { encoding: 'utf8' })
    example = replaceText(uncomment(example, '# @unsigned', 'NAME HASH\n\t# }'), 'NAME HASH', `${login.name} ${hash.trim()}`)
  }
  const filePath = join(dir, 'Caddyfile')
  // In the Caddyfile, the first line that contains only a brace begins the global options.
  await writeFile(filePath, replaceText(example, '\n{\n', `\n${globalOptions}`))
  const args = ['run', '--config', filePath, '--adapter', 'caddyfile']
  const running = await startProcess('caddy', args, environmentOf(dir), [httpsPort, httpPort])
  const authority = await readFile(join(dir, 'caddy/pki/authorities/local/root.crt'))
  return { ...running, httpsPort, httpPort, authority }
}

const upstreamLines = (ports: readonly number[]) => ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join('\n')

/** Runs nginx with the directives of its `http` block, which may include the repository's snippet. */
async function runNginx(dir: string, directives: string, ports: readonly number[], login?: BasicLogin) {
  await mkdir(join(dir, 'snippets'))
  let snippet = await readExample('nginx-proxy.conf')
  if (login !== undefined) {
    await writeFile(join(dir, 'users'), `${login.name}:{PLAIN}${login.password}\n`)
    snippet = replaceText(uncomment(snippet, '# auth_basic ', 'varispeed-users;'), '/etc/nginx/varispeed-users', join(dir, 'users'))
  }
  await writeFile(join(dir, 'snippets/varispeed-proxy.conf'), snippet)
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(dir, name)};`)
  // As root, nginx would run its workers as another user, who has no write permission in the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const main = `daemon off; ${user} pid ${join(dir, 'nginx.pid')}; error_log stderr; events {}\nhttp { access_log off; ${temporaryPaths.join(' ')}\n${directives}\n}\n`
  await writeFile(join(dir, 'nginx.conf'), main)
  return startProcess('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', 'stderr'], environmentOf(dir), ports)
}

/** Runs nginx with the repository's snippet over plain HTTP, as a round-robin proxy of several servers. */
export async function startRoundRobin(dir: string, port: number, serverPorts: readonly number[]): Promise<Pick<RunningProxy, 'stop'>> {
  requireProgram('nginx')
  const upstream = `upstream varispeed {\n${upstreamLines(serverPorts)}\nkeepalive 32;\n}`
  const server = `server {\nlisten 127.0.0.1:${port};\ninclude snippets/varispeed-proxy.conf;\n}`
  return runNginx(dir, `${upstream}\n${server}`, [port])
}

/** Runs nginx with the repository's examples, on free ports and with self-signed wildcard certificates, before one server or several. */
export async function startNginx(dir: string, serverPort: number | readonly number[], login?: BasicLogin): Promise<RunningProxy> {
  requireProgram('nginx')
  const [httpsPort, httpPort] = [await findFreePort(), await findFreePort()]
  let example = await readExample('nginx.conf')
  const authorities: Buffer[] = []
  for (const host of ['example.org', 'slowedreverb.example.net']) {
    const { key, cert } = await createCertificate([host, `*.${host}`])
    await writeFile(join(dir, `${host}.key`), key)
    await writeFile(join(dir, `${host}.crt`), cert)
    authorities.push(cert)
    example = replaceText(example, `/etc/letsencrypt/live/${host}/fullchain.pem`, join(dir, `${host}.crt`))
    example = replaceText(example, `/etc/letsencrypt/live/${host}/privkey.pem`, join(dir, `${host}.key`))
  }
  example = replaceText(example, 'server 127.0.0.1:8080 max_fails=0;', upstreamLines([serverPort].flat()))
  example = replaceText(example, 'listen 80;', `listen 127.0.0.1:${httpPort};`)
  example = replaceText(example, 'listen 443 ', `listen 127.0.0.1:${httpsPort} `)
  example = replaceText(example, 'listen [::]:80;', `listen [::1]:${httpPort};`)
  example = replaceText(example, 'listen [::]:443 ', `listen [::1]:${httpsPort} `)
  const running = await runNginx(dir, example, [httpsPort, httpPort], login)
  return { ...running, httpsPort, httpPort, authority: Buffer.concat(authorities) }
}
