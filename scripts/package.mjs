import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { ensureCachedPackage } from './cached-package.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled, isOnPath, printLine } from './install.mjs'
import { orFail, requireNode, root } from './node-version.mjs'

// `npm run package -- [FOLDER]`: makes a tarball in dist/packages, and with dpkg-deb a Debian package, of the built site with the packages that the server loads and with
// a Node of its own, for this processor and Linux with glibc.

/** The version of Node that the package brings along: the newest of the supported ones (README.md). */
const NODE_VERSION = '24.21.0'
const NODE_MEGABYTES = 190

/** @typedef {{ version?: string, dev?: boolean, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} LockEntry */

/** Returns the names of the packages that the built programs import. @param {string[]} programs */
function listImportedPackages(programs) {
  const importMatches = programs.flatMap((program) => [
    ...readFileSync(program, 'utf8').matchAll(/\bfrom "([^"./][^"]*)"|\bimport\(?\s*"([^"./][^"]*)"/g),
  ])
  const packages = importMatches.map(([, name, other]) =>
    (name ?? other ?? '')
      .split('/')
      .slice(0, (name ?? other ?? '').startsWith('@') ? 2 : 1)
      .join('/'),
  )
  // The driver of SQLite is loaded by a name that depends on Node.
  return new Set([
    ...packages.filter((name) => !name.startsWith('node:') && existsSync(join(root, 'node_modules', name))),
    'better-sqlite3',
  ])
}

/** Returns the folders of packages and of all that they need, as paths such as `node_modules/a/node_modules/b`. @param {Iterable<string>} packageNames */
function listPackageFolders(packageNames) {
  /** @type {Record<string, LockEntry>} */
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  /** @type {Set<string>} */
  const folders = new Set()
  /** @param {string} from @param {string} name @returns {string | undefined} */
  const find = (from, name) => {
    const path = join(from, 'node_modules', name)
    if (existsSync(join(root, path, 'package.json'))) return path
    return from === '' ? undefined : find(from.includes('/node_modules/') ? from.slice(0, from.lastIndexOf('/node_modules/')) : '', name)
  }
  /** @param {string} folder */
  const add = (folder) => {
    if (folders.has(folder)) return
    folders.add(folder)
    const { dependencies, optionalDependencies } = lock[folder] ?? {}
    for (const name of Object.keys(dependencies ?? {})) {
      const found = find(folder, name)
      if (found === undefined) throw new Error(`${name}, which ${folder} needs, is not installed`)
      add(found)
    }
    // Optional packages of other platforms are not installed.
    for (const name of Object.keys(optionalDependencies ?? {})) {
      const found = find(folder, name)
      if (found !== undefined) add(found)
    }
  }
  for (const name of packageNames) add(`node_modules/${name}`)
  return folders
}

/**
 * Whether a file of a package is needed to run it: no packages in it, which are listed themselves, no sources of compiled modules, no binaries of other
 * platforms, no maps.
 *
 * @param {string} folder the package's folder @param {string} filePath the file's path in it
 */
function isNeeded(folder, filePath) {
  if (/^node_modules(\/|$)/.test(filePath)) return false
  if (basename(folder) === 'better-sqlite3') {
    if (/^(?:deps|src|build)(?:\/|$)/.test(filePath)) return false
    if (filePath.startsWith('prebuilds/')) return filePath === `prebuilds/linux-${process.arch}.node`
  }
  return !/\.(?:map|md|markdown|d\.[cm]?ts)$/i.test(filePath) || /licen[cs]e/i.test(filePath)
}

/** @param {string} text @param {readonly (readonly [string, string])[]} replacements */
function replaceTexts(text, replacements) {
  for (const [search, replacement] of replacements) {
    if (!text.includes(search)) throw new Error(`'${search}' is missing in a file of deploy/`)
    text = text.replaceAll(search, replacement)
  }
  return text
}

/** Copies the files of `deploy/`, with the paths of an installed package. @param {string} to */
function copyDeployFiles(to) {
  mkdirSync(to)
  const release = '/opt/varispeed/current'
  /** @type {Record<string, readonly (readonly [string, string])[]>} */
  const changes = {
    'varispeed.service': [
      ['WorkingDirectory=/opt/varispeed\n', `WorkingDirectory=${release}\n`],
      ['/etc/varispeed.env', '/etc/varispeed/varispeed.env'],
      ['/usr/bin/node', `${release}/node/bin/node`],
      ['InaccessiblePaths=-/opt/varispeed/.git\n', ''],
    ],
    'varispeed-admin': [
      ['exec sudo -u varispeed "$0"', 'exec runuser -u varispeed -- "$0"'],
      ['/etc/varispeed.env', '/etc/varispeed/varispeed.env'],
      ['/usr/bin/node /opt/varispeed', `${release}/node/bin/node ${release}`],
    ],
    'varispeed.env': [['/etc/varispeed.env', '/etc/varispeed/varispeed.env']],
  }
  for (const name of readdirSync(join(root, 'deploy'))) {
    const path = join(root, 'deploy', name)
    const text = replaceTexts(readFileSync(path, 'utf8'), changes[name] ?? [])
    writeFileSync(join(to, name), text, { mode: statSync(path).mode & 0o777 })
  }
}

/** Returns the version of the package: that of the program, with the time of the last commit. */
function nameVersion() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { stdout, status } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
  const seconds = status === 0 ? Number(stdout) : Date.now() / 1000
  return process.env.PACKAGE_VERSION ?? `${version}+${new Date(seconds * 1000).toISOString().slice(0, 19).replace(/\D/g, '')}`
}

/** Copies all that an installed release consists of. @param {string} folder @param {string} version */
function stageRelease(folder, version) {
  const dist = join(root, 'dist')
  for (const part of ['client', 'server', 'prerender', 'dsp'])
    cpSync(join(dist, part), join(folder, 'dist', part), { recursive: true, filter: (path) => !path.endsWith('.map') || part === 'server' })
  const programs = ['main', 'admin', 'convert', 'render'].map((name) => join(dist, `server/${name}.js`))
  for (const filePath of listPackageFolders(listImportedPackages(programs)))
    cpSync(join(root, filePath), join(folder, filePath), {
      recursive: true,
      filter: (source) => isNeeded(filePath, relative(join(root, filePath), source)),
    })
  const node = ensureCachedPackage(`node-linux-${process.arch}`, NODE_VERSION, NODE_MEGABYTES)
  mkdirSync(join(folder, 'node/bin'), { recursive: true })
  cpSync(join(node, 'bin/node'), join(folder, 'node/bin/node'))
  for (const name of readdirSync(node)) if (/^licen[cs]e/i.test(name)) cpSync(join(node, name), join(folder, 'node', name))
  for (const name of ['package.json', 'LICENSE', 'CHANGELOG.md', 'docs/admin.md', 'docs/monitoring.md', 'docs/licences.md'])
    cpSync(join(root, name), join(folder, name))
  copyDeployFiles(join(folder, 'deploy'))
  writeFileSync(join(folder, 'RELEASE'), `${version}\n`)
}

const processors = /** @type {Record<string, string>} */ ({ x64: 'amd64', arm64: 'arm64' })

/** Makes a Debian package that brings the release to /usr/share and has it installed. @param {string} release @param {string} version @param {string} output */
function buildDebianPackage(release, version, output) {
  const folder = join(dirname(release), 'debian')
  const payload = '/usr/share/varispeed/release'
  mkdirSync(join(folder, 'DEBIAN'), { recursive: true })
  mkdirSync(join(folder, dirname(payload)), { recursive: true })
  execFileSync('cp', ['-al', release, join(folder, payload)])
  const kilobytes = execFileSync('du', ['-sk', release], { encoding: 'utf8' }).split('\t')[0]
  writeFileSync(
    join(folder, 'DEBIAN/control'),
    `Package: varispeed
Version: ${version}
Architecture: ${processors[process.arch] ?? process.arch}
Maintainer: Varispeed <root@localhost>
Section: web
Priority: optional
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6, passwd, util-linux
Recommends: ffmpeg, ca-certificates
Description: self-hosted music site with a radio and a varispeed maker
 Playlists, a radio and an in-browser maker. The package brings its own Node.
`,
  )
  const scripts = {
    postinst: `if [ "$1" = configure ]; then ${payload}/deploy/varispeed-setup install; fi`,
    prerm: 'if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --now varispeed || true; fi',
    // The data and settings stay: nobody loses a site by removing a package.
    postrm:
      'if [ "$1" = remove ] || [ "$1" = purge ]; then rm -rf /opt/varispeed /etc/systemd/system/varispeed.service /usr/local/bin/varispeed-admin /usr/local/sbin/varispeed-setup; fi',
  }
  for (const [name, text] of Object.entries(scripts))
    writeFileSync(join(folder, 'DEBIAN', name), `#!/bin/sh\nset -e\n${text}\n`, { mode: 0o755 })
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', folder, output], { stdio: ['ignore', 'ignore', 'inherit'] })
}

await orFail(async () => {
  requireNode()
  ensureInstalled()
  await ensureBuilt('kernel', 'client', 'server')
  const version = nameVersion()
  const output = resolve(process.argv[2] ?? join(root, 'dist/packages'))
  const name = `varispeed-${version}-linux-${process.arch}`
  const workFolder = join(output, `.${process.pid}`)
  mkdirSync(workFolder, { recursive: true })
  try {
    stageRelease(join(workFolder, name), version)
    execFileSync('tar', ['-C', workFolder, '--owner=root', '--group=root', '-czf', join(output, `${name}.tar.gz`), name])
    console.log(join(output, `${name}.tar.gz`))
    if (isOnPath('dpkg-deb')) {
      const file = join(output, `varispeed_${version}_${processors[process.arch] ?? process.arch}.deb`)
      buildDebianPackage(join(workFolder, name), version, file)
      console.log(file)
    } else printLine('dpkg-deb is not installed: there is no Debian package')
  } finally {
    rmSync(workFolder, { recursive: true, force: true })
  }
})
