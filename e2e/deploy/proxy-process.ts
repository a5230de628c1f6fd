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
async function startProcess(programName: string, args: readonly string[], env: NodeJS.ProcessEnv, portNumbers: readonly number[]) {
  const proxyProcess: ChildProcess = spawn(programName, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let logText = ''
  const appendLog = (chunk: Buffer) => {
    logText += chunk.toString()
  }
  proxyProcess.stdout?.on('data', appendLog)
  proxyProcess.stderr?.on('data', appendLog)
  const stopProcess = async () => {
    if (proxyProcess.exitCode !== null || proxyProcess.signalCode !== null) return
    proxyProcess.kill('SIGTERM')
    await once(proxyProcess, 'exit')
  }
  for (const port of portNumbers) {
    while (!(await canConnect(port))) {
      if (proxyProcess.exitCode !== null) throw new Error(`${programName} exited with ${proxyProcess.exitCode}:\n${logText}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return { readLog: () => logText, stop: stopProcess }
}

/** Debian installs nginx in a folder that is not in the search path of normal users. */
const searchPath = `${process.env.PATH}:/usr/sbin`

const createEnvironment = (proxyDir: string): NodeJS.ProcessEnv => ({
  PATH: `${process.env.PATH}:/usr/sbin`,
  HOME: proxyDir,
  XDG_DATA_HOME: proxyDir,
  XDG_CONFIG_HOME: proxyDir,
})

/** The user name and the password that the proxy requires by Basic authentication. */
export interface BasicLogin {
  name: string
  password: string
}

/** Removes the comment marks of the lines from `firstLine` to `lastLine`. */
function uncommentLines(exampleText: string, firstLine: string, lastLine: string): string {
  const startIndex = exampleText.indexOf(firstLine)
  const end = exampleText.indexOf(lastLine, startIndex) + lastLine.length
  if (startIndex < 0 || end < startIndex) throw new Error(`The example has no lines from '${firstLine}' to '${lastLine}'`)
  return exampleText.slice(0, startIndex) + exampleText.slice(startIndex, end).replaceAll('# ', '') + exampleText.slice(end)
}

/** Runs Caddy with the repository's example, on free ports and with certificates of Caddy's internal authority. */
export async function startCaddy(proxyDir: string, serverPort: number, login?: BasicLogin): Promise<RunningProxy> {
  requireProgram('caddy')
  const [httpsPort, httpPort] = [await findFreePort(), await findFreePort()]
  const globalOptions = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttps_port ${httpsPort}\n\thttp_port ${httpPort}\n\n`
  let caddyfileText = replaceText(await readExample('Caddyfile'), '127.0.0.1:8080', `127.0.0.1:${serverPort}`)
  if (login !== undefined) {
    const { stdout: passwordHash } = spawnSync('caddy', ['hash-password', '--plaintext', login.password], { encoding: 'utf8' })
    caddyfileText = replaceText(
      uncommentLines(caddyfileText, '# @unsigned', 'NAME HASH\n\t# }'),
      'NAME HASH',
      `${login.name} ${passwordHash.trim()}`,
    )
  }
  const filePath = join(proxyDir, 'Caddyfile')
  // In the Caddyfile, the first line that contains only a brace begins the global options.
  await writeFile(filePath, replaceText(caddyfileText, '\n{\n', `\n${globalOptions}`))
  const args = ['run', '--config', filePath, '--adapter', 'caddyfile']
  const running = await startProcess('caddy', args, createEnvironment(proxyDir), [httpsPort, httpPort])
  const authority = await readFile(join(proxyDir, 'caddy/pki/authorities/local/root.crt'))
  return { ...running, httpsPort, httpPort, authority }
}

const createUpstreamLines = (ports: readonly number[]) => ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join('\n')

/** Runs nginx with the directives of its `http` block, which may include the repository's snippet. */
async function runNginx(proxyDir: string, directiveTexts: string, portNumbers: readonly number[], login?: BasicLogin) {
  await mkdir(join(proxyDir, 'snippets'))
  let snippetText = await readExample('nginx-proxy.conf')
  if (login !== undefined) {
    await writeFile(join(proxyDir, 'users'), `${login.name}:{PLAIN}${login.password}\n`)
    snippetText = replaceText(
      uncommentLines(snippetText, '# auth_basic ', 'varispeed-users;'),
      '/etc/nginx/varispeed-users',
      join(proxyDir, 'users'),
    )
  }
  await writeFile(join(proxyDir, 'snippets/varispeed-proxy.conf'), snippetText)
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(proxyDir, name)};`)
  // As root, nginx would run its workers as another user, who has no write permission in the folder.
  const userDirective = process.getuid?.() === 0 ? 'user root;' : ''
  const configText = `daemon off; ${userDirective} pid ${join(proxyDir, 'nginx.pid')}; error_log stderr; events {}\nhttp { access_log off; ${temporaryPaths.join(' ')}\n${directiveTexts}\n}\n`
  await writeFile(join(proxyDir, 'nginx.conf'), configText)
  return startProcess(
    'nginx',
    ['-p', proxyDir, '-c', join(proxyDir, 'nginx.conf'), '-e', 'stderr'],
    createEnvironment(proxyDir),
    portNumbers,
  )
}

/** Runs nginx with the repository's snippet over plain HTTP, as a round-robin proxy of several servers. */
export async function startRoundRobin(proxyDir: string, port: number, serverPorts: readonly number[]): Promise<Pick<RunningProxy, 'stop'>> {
  requireProgram('nginx')
  const upstream = `upstream varispeed {\n${createUpstreamLines(serverPorts)}\nkeepalive 32;\n}`
  const server = `server {\nlisten 127.0.0.1:${port};\ninclude snippets/varispeed-proxy.conf;\n}`
  return runNginx(proxyDir, `${upstream}\n${server}`, [port])
}

/** Runs nginx with the repository's examples, on free ports and with self-signed wildcard certificates, before one server or several. */
export async function startNginx(proxyDir: string, serverPort: number | readonly number[], login?: BasicLogin): Promise<RunningProxy> {
  requireProgram('nginx')
  const [httpsPort, httpPort] = [await findFreePort(), await findFreePort()]
  let nginxText = await readExample('nginx.conf')
  const authorityCertificates: Buffer[] = []
  for (const hostName of ['example.org', 'slowedreverb.example.net']) {
    const { key, cert } = await createCertificate([hostName, `*.${hostName}`])
    await writeFile(join(proxyDir, `${hostName}.key`), key)
    await writeFile(join(proxyDir, `${hostName}.crt`), cert)
    authorityCertificates.push(cert)
    nginxText = replaceText(nginxText, `/etc/letsencrypt/live/${hostName}/fullchain.pem`, join(proxyDir, `${hostName}.crt`))
    nginxText = replaceText(nginxText, `/etc/letsencrypt/live/${hostName}/privkey.pem`, join(proxyDir, `${hostName}.key`))
  }
  nginxText = replaceText(nginxText, 'server 127.0.0.1:8080 max_fails=0;', createUpstreamLines([serverPort].flat()))
  nginxText = replaceText(nginxText, 'listen 80;', `listen 127.0.0.1:${httpPort};`)
  nginxText = replaceText(nginxText, 'listen 443 ', `listen 127.0.0.1:${httpsPort} `)
  nginxText = replaceText(nginxText, 'listen [::]:80;', `listen [::1]:${httpPort};`)
  nginxText = replaceText(nginxText, 'listen [::]:443 ', `listen [::1]:${httpsPort} `)
  const running = await runNginx(proxyDir, nginxText, [httpsPort, httpPort], login)
  return { ...running, httpsPort, httpPort, authority: Buffer.concat(authorityCertificates) }
}
