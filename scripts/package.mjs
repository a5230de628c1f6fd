import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { ensureCachedPackage } from './cached-package.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled, isOnPath, printLine } from './install.mjs'
import { exitOnFailure, requireNode, root } from './node-version.mjs'

// `npm run package -- [FOLDER]`: makes a tarball in dist/packages, and with dpkg-deb a Debian package, of the built site with the packages that the server loads and with
// a Node of its own, for this processor and Linux with glibc.

/** The version of Node that the package contains: the newest supported version (README.md). */
const NODE_VERSION = '24.21.0'
const NODE_MEGABYTES = 190

/** @typedef {{ version?: string, dev?: boolean, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} LockEntry */

/** Returns the names of the packages that the built programs import. @param {string[]} programPaths */
function listImportedPackages(programPaths) {
  const importMatches = programPaths.flatMap((program) => [
    ...readFileSync(program, 'utf8').matchAll(/\bfrom "([^"./][^"]*)"|\bimport\(?\s*"([^"./][^"]*)"/g),
  ])
  const packageNames = importMatches.map(([, singleQuotedName, doubleQuotedName]) =>
    (singleQuotedName ?? doubleQuotedName ?? '')
      .split('/')
      .slice(0, (singleQuotedName ?? doubleQuotedName ?? '').startsWith('@') ? 2 : 1)
      .join('/'),
  )
  // The driver of SQLite is added, because the program loads it by a name that depends on the version of Node.
  return new Set([
    ...packageNames.filter((name) => !name.startsWith('node:') && existsSync(join(root, 'node_modules', name))),
    'better-sqlite3',
  ])
}

/** Returns the folders of packages and of all packages that they need, as paths such as `node_modules/a/node_modules/b`. @param {Iterable<string>} packageNames */
function listPackageFolders(packageNames) {
  /** @type {Record<string, LockEntry>} */
  const lockedPackages = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  /** @type {Set<string>} */
  const packageFolders = new Set()
  /** @param {string} requiringFolder @param {string} packageName @returns {string | undefined} */
  const findPackage = (requiringFolder, packageName) => {
    const packagePath = join(requiringFolder, 'node_modules', packageName)
    if (existsSync(join(root, packagePath, 'package.json'))) return packagePath
    return requiringFolder === ''
      ? undefined
      : findPackage(
          requiringFolder.includes('/node_modules/') ? requiringFolder.slice(0, requiringFolder.lastIndexOf('/node_modules/')) : '',
          packageName,
        )
  }
  /** @param {string} packageFolder */
  const addPackage = (packageFolder) => {
    if (packageFolders.has(packageFolder)) return
    packageFolders.add(packageFolder)
    const { dependencies, optionalDependencies } = lockedPackages[packageFolder] ?? {}
    for (const packageName of Object.keys(dependencies ?? {})) {
      const found = findPackage(packageFolder, packageName)
      if (found === undefined) throw new Error(`${packageName}, which ${packageFolder} needs, is not installed`)
      addPackage(found)
    }
    // Optional packages of other platforms are not installed.
    for (const name of Object.keys(optionalDependencies ?? {})) {
      const found = findPackage(packageFolder, name)
      if (found !== undefined) addPackage(found)
    }
  }
  for (const name of packageNames) addPackage(`node_modules/${name}`)
  return packageFolders
}

/**
 * Whether a file of a package is needed to run it. Not needed are nested packages (listed separately), sources of compiled modules, binaries of other
 * platforms, source maps, type declarations, and documents except licences.
 *
 * @param {string} packageFolder the package's folder @param {string} filePath the file's path in it
 */
function isPackageNeeded(packageFolder, filePath) {
  if (/^node_modules(\/|$)/.test(filePath)) return false
  if (basename(packageFolder) === 'better-sqlite3') {
    if (/^(?:deps|src|build)(?:\/|$)/.test(filePath)) return false
    if (filePath.startsWith('prebuilds/')) return filePath === `prebuilds/linux-${process.arch}.node`
  }
  return !/\.(?:map|md|markdown|d\.[cm]?ts)$/i.test(filePath) || /licen[cs]e/i.test(filePath)
}

/** @param {string} sourceText @param {readonly (readonly [string, string])[]} replacementByText */
function replaceTexts(sourceText, replacementByText) {
  for (const [search, replacement] of replacementByText) {
    if (!sourceText.includes(search)) throw new Error(`'${search}' is missing in a file of deploy/`)
    sourceText = sourceText.replaceAll(search, replacement)
  }
  return sourceText
}

/** Copies the files of `deploy/`, with the paths of an installed package. @param {string} targetFolder */
function copyDeployFiles(targetFolder) {
  mkdirSync(targetFolder)
  const releasePath = '/opt/varispeed/current'
  /** @type {Record<string, readonly (readonly [string, string])[]>} */
  const packageChanges = {
    'varispeed.service': [
      ['WorkingDirectory=/opt/varispeed\n', `WorkingDirectory=${releasePath}\n`],
      ['/etc/varispeed.env', '/etc/varispeed/varispeed.env'],
      ['/usr/bin/node', `${releasePath}/node/bin/node`],
      ['InaccessiblePaths=-/opt/varispeed/.git\n', ''],
    ],
    'varispeed-admin': [
      ['/etc/varispeed.env', '/etc/varispeed/varispeed.env'],
      ['/usr/bin/node /opt/varispeed', `${releasePath}/node/bin/node ${releasePath}`],
    ],
    'varispeed.env': [['/etc/varispeed.env', '/etc/varispeed/varispeed.env']],
  }
  for (const fileName of readdirSync(join(root, 'deploy'))) {
    const path = join(root, 'deploy', fileName)
    const text = replaceTexts(readFileSync(path, 'utf8'), packageChanges[fileName] ?? [])
    writeFileSync(join(targetFolder, fileName), text, { mode: statSync(path).mode & 0o777 })
  }
  // The unit of a site with several processes (docs/scale.md), each of which is named by its port.
  const unitText = readFileSync(join(targetFolder, 'varispeed.service'), 'utf8')
  writeFileSync(join(targetFolder, 'varispeed@.service'), replaceTexts(unitText, [['\nExecStart=', '\nEnvironment=PORT=%i\nExecStart=']]))
}

/** Returns the version of the package: that of the program, with the time of the last commit. */
function createPackageVersion() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { stdout, status } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
  const seconds = status === 0 ? Number(stdout) : Date.now() / 1000
  return process.env.PACKAGE_VERSION ?? `${version}+${new Date(seconds * 1000).toISOString().slice(0, 19).replace(/\D/g, '')}`
}

/** Copies all that an installed release consists of. @param {string} releaseFolder @param {string} releaseVersion */
function stageRelease(releaseFolder, releaseVersion) {
  const distFolder = join(root, 'dist')
  for (const builtPart of ['client', 'server', 'prerender', 'dsp'])
    cpSync(join(distFolder, builtPart), join(releaseFolder, 'dist', builtPart), {
      recursive: true,
      filter: (path) => !path.endsWith('.map') || builtPart === 'server',
    })
  const programPaths = ['main', 'admin', 'convert', 'render'].map((name) => join(distFolder, `server/${name}.js`))
  for (const filePath of listPackageFolders(listImportedPackages(programPaths)))
    cpSync(join(root, filePath), join(releaseFolder, filePath), {
      recursive: true,
      filter: (source) => isPackageNeeded(filePath, relative(join(root, filePath), source)),
    })
  const nodePackage = ensureCachedPackage(`node-linux-${process.arch}`, NODE_VERSION, NODE_MEGABYTES)
  mkdirSync(join(releaseFolder, 'node/bin'), { recursive: true })
  cpSync(join(nodePackage, 'bin/node'), join(releaseFolder, 'node/bin/node'))
  for (const name of readdirSync(nodePackage))
    if (/^licen[cs]e/i.test(name)) cpSync(join(nodePackage, name), join(releaseFolder, 'node', name))
  for (const name of [
    'package.json',
    'LICENSE',
    'CHANGELOG.md',
    'docs/admin.md',
    'docs/monitoring.md',
    'docs/scale.md',
    'docs/licences.md',
  ])
    cpSync(join(root, name), join(releaseFolder, name))
  copyDeployFiles(join(releaseFolder, 'deploy'))
  writeFileSync(join(releaseFolder, 'RELEASE'), `${releaseVersion}\n`)
}

const debianArchitectureByNodeArch = /** @type {Record<string, string>} */ ({ x64: 'amd64', arm64: 'arm64' })

/** Makes a Debian package that unpacks the release to /usr/share and then installs it from there. @param {string} releaseFolder @param {string} packageVersion @param {string} outputFolder */
function buildDebianPackage(releaseFolder, packageVersion, outputFolder) {
  const debianFolder = join(dirname(releaseFolder), 'debian')
  const payloadPath = '/usr/share/varispeed/release'
  mkdirSync(join(debianFolder, 'DEBIAN'), { recursive: true })
  mkdirSync(join(debianFolder, dirname(payloadPath)), { recursive: true })
  execFileSync('cp', ['-al', releaseFolder, join(debianFolder, payloadPath)])
  const releaseKilobytes = execFileSync('du', ['-sk', releaseFolder], { encoding: 'utf8' }).split('\t')[0]
  writeFileSync(
    join(debianFolder, 'DEBIAN/control'),
    `Package: varispeed
Version: ${packageVersion}
Architecture: ${debianArchitectureByNodeArch[process.arch] ?? process.arch}
Maintainer: Varispeed <root@localhost>
Section: web
Priority: optional
Installed-Size: ${releaseKilobytes}
Depends: libc6 (>= 2.28), libstdc++6, passwd, util-linux
Recommends: ffmpeg, ca-certificates
Description: self-hosted music site with a radio and a varispeed maker
 Playlists, a radio and an in-browser maker. The package brings its own Node.
`,
  )
  const maintainerScripts = {
    postinst: `if [ "$1" = configure ]; then ${payloadPath}/deploy/varispeed-setup install; fi`,
    prerm: `if [ "$1" = remove ]; then ${payloadPath}/deploy/varispeed-setup disable; fi`,
    // The data and settings stay: nobody loses a site by removing a package. A purge ends the limit of the machine's log, too.
    postrm: `if [ "$1" = remove ] || [ "$1" = purge ]; then
  rm -rf /opt/varispeed/releases
  rm -f /opt/varispeed/current /opt/varispeed/previous /opt/varispeed/previous-backup
  if [ -L /opt/varispeed/deploy ]; then rm /opt/varispeed/deploy; fi
  rmdir /opt/varispeed 2> /dev/null || true
  rm -f /etc/systemd/system/varispeed.service /etc/systemd/system/varispeed@.service /usr/local/bin/varispeed-admin /usr/local/sbin/varispeed-setup
fi
if [ "$1" = purge ]; then rm -f /etc/systemd/journald.conf.d/varispeed.conf; fi`,
  }
  for (const [name, text] of Object.entries(maintainerScripts))
    writeFileSync(join(debianFolder, 'DEBIAN', name), `#!/bin/sh\nset -e\n${text}\n`, { mode: 0o755 })
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', debianFolder, outputFolder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

await exitOnFailure(async () => {
  requireNode()
  ensureInstalled()
  await ensureBuilt('kernel', 'client', 'server')
  const releaseVersion = createPackageVersion()
  const outputFolder = resolve(process.argv[2] ?? join(root, 'dist/packages'))
  const releaseName = `varispeed-${releaseVersion}-linux-${process.arch}`
  const workFolder = join(outputFolder, `.${process.pid}`)
  mkdirSync(workFolder, { recursive: true })
  try {
    stageRelease(join(workFolder, releaseName), releaseVersion)
    execFileSync('tar', [
      '-C',
      workFolder,
      '--owner=root',
      '--group=root',
      '-czf',
      join(outputFolder, `${releaseName}.tar.gz`),
      releaseName,
    ])
    console.log(join(outputFolder, `${releaseName}.tar.gz`))
    if (isOnPath('dpkg-deb')) {
      const file = join(outputFolder, `varispeed_${releaseVersion}_${debianArchitectureByNodeArch[process.arch] ?? process.arch}.deb`)
      buildDebianPackage(join(workFolder, releaseName), releaseVersion, file)
      console.log(file)
    } else printLine('dpkg-deb is not installed: there is no Debian package')
  } finally {
    rmSync(workFolder, { recursive: true, force: true })
  }
})
