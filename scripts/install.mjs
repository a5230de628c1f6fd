import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './node-version.mjs'

const INSTALL_FAILED_MESSAGE =
  'the packages could not be installed (see above): a network, and for the database driver python3, make and g++, are needed'

/**
 * Installs the packages of package-lock.json if node_modules is absent or differs from it, and compiles the native
 * module again for another version of Node. Writes to standard error only.
 *
 * @throws with a message of one line that names what is missing
 */
export function ensureInstalled() {
  if (!isInstalled()) {
    printLine('installing packages (the first time takes a few minutes: the database driver may have to be compiled)')
    if (!runNpm('ci', '--no-audit', '--no-fund')) {
      const hasInstalledCompiler = installCompiler()
      if (!hasInstalledCompiler || !runNpm('ci', '--no-audit', '--no-fund')) throw new Error(INSTALL_FAILED_MESSAGE)
    }
  }
  if (!canLoadNativeModule()) {
    printLine('compiling the database driver for this Node')
    if (!runNpm('rebuild', 'better-sqlite3-node20') || !canLoadNativeModule())
      throw new Error('better-sqlite3 could not be compiled: python3, make and g++ are needed')
  }
}

/** Returns whether node_modules matches the lock file, by the copy of the lock file that npm writes to node_modules. */
function isInstalled() {
  const wantedPackages = readPackages('package-lock.json')
  const presentPackages = readPackages('node_modules/.package-lock.json')
  if (wantedPackages === undefined) throw new Error('package-lock.json cannot be read')
  if (presentPackages === undefined) return false
  return Object.entries(wantedPackages).every(
    ([path, entry]) =>
      path === '' || entry.optional === true || entry.devOptional === true || presentPackages[path]?.version === entry.version,
  )
}

/**
 * @param {string} filePath
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }> | undefined}
 */
function readPackages(filePath) {
  try {
    return JSON.parse(readFileSync(join(root, filePath), 'utf8')).packages
  } catch {
    return undefined
  }
}

/** Loads the native module in a child process, because a process that has loaded it for another Node does not load its replacement. */
function canLoadNativeModule() {
  // Selects the package of SQLite by the version of Node, as server/storage/sqlite-driver.ts does.
  const program = "new (require(Number(process.versions.napi) >= 10 ? 'better-sqlite3' : 'better-sqlite3-node20'))(':memory:').close()"
  return spawnSync(process.execPath, ['--eval', program], { cwd: root, stdio: 'ignore' }).status === 0
}

/** @param {string[]} args */
function runNpm(...args) {
  const npmCommand = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [npmProgram = 'npm', ...programArgs] = npmCommand
  // Points node-gyp to the C++ headers that come with this Node. Otherwise it would download them, or use those of another Node that npm is configured for.
  const nodePrefix = dirname(dirname(realpathSync(process.execPath)))
  const headersEnv = existsSync(join(nodePrefix, 'include/node/node_api.h')) ? { npm_config_nodedir: nodePrefix } : {}
  const npmRun = spawnSync(npmProgram, [...programArgs, ...args, '--loglevel=error'], {
    cwd: root,
    env: { ...process.env, ...headersEnv, JOBS: process.env.JOBS ?? 'max', NODE_ENV: 'development' },
    stdio: ['ignore', process.stderr, process.stderr],
  })
  return npmRun.status === 0
}

/** Installs Debian's compiler packages. Returns false if they are present or cannot be installed. */
function installCompiler() {
  if (['python3', 'make', 'g++'].every(isOnPath)) return false
  return installPackages('python3', 'make', 'g++')
}

/** @param {string} program */
export function isOnPath(program) {
  return (process.env.PATH ?? '').split(':').some((folder) => folder !== '' && existsSync(join(folder, program)))
}

/**
 * Installs Debian packages by apt-get. Returns false without root permissions, without apt-get, or if apt-get fails.
 *
 * @param {string[]} packageNames
 */
export function installPackages(...packageNames) {
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) return false
  printLine(`installing ${packageNames.join(', ')} through apt`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const stdio = /** @type {const} */ (['ignore', process.stderr, process.stderr])
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: [...stdio] })
  return spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packageNames], { env, stdio: [...stdio] }).status === 0
}

/** @param {string} line */
export function printLine(line) {
  process.stderr.write(`varispeed: ${line}\n`)
}
