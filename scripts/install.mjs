import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './node-version.mjs'

const cannotInstall =
  'the packages could not be installed (see above): a network, and for the database driver python3, make and g++, are needed'

/**
 * Installs the packages of package-lock.json where node_modules is absent or differs from it, and compiles the native
 * module anew for another Node. Writes to standard error only.
 *
 * @throws with one line that says what is missing
 */
export function ensureInstalled() {
  if (!installed()) {
    say('installing packages (the first time takes a few minutes: the database driver may have to be compiled)')
    if (!npm('ci', '--no-audit', '--no-fund')) {
      const tools = installCompiler()
      if (!tools || !npm('ci', '--no-audit', '--no-fund')) throw new Error(cannotInstall)
    }
  }
  if (!nativeModuleLoads()) {
    say('compiling the database driver for this Node')
    if (!npm('rebuild', 'better-sqlite3') || !nativeModuleLoads())
      throw new Error('better-sqlite3 could not be compiled: python3, make and g++ are needed')
  }
}

/** Whether node_modules holds what the lock file asks for: npm leaves a lock file of its own in it. */
function installed() {
  const wanted = readPackages('package-lock.json')
  const present = readPackages('node_modules/.package-lock.json')
  if (wanted === undefined) throw new Error('package-lock.json cannot be read')
  if (present === undefined) return false
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional === true || entry.devOptional === true || present[path]?.version === entry.version,
  )
}

/**
 * @param {string} path
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }> | undefined}
 */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages
  } catch {
    return undefined
  }
}

function nativeModuleLoads() {
  try {
    const Database = createRequire(join(root, 'package.json'))('better-sqlite3')
    new Database(':memory:').close()
    return true
  } catch {
    return false
  }
}

/** @param {string[]} args */
function npm(...args) {
  const program = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [command = 'npm', ...before] = program
  // Every Node comes with its headers; without this, node-gyp would download them.
  const prefix = dirname(dirname(realpathSync(process.execPath)))
  const headers = existsSync(join(prefix, 'include/node/node_api.h')) ? { npm_config_nodedir: prefix } : {}
  const run = spawnSync(command, [...before, ...args, '--loglevel=error'], {
    cwd: root,
    env: { ...headers, ...process.env, JOBS: process.env.JOBS ?? 'max', NODE_ENV: 'development' },
    stdio: ['ignore', process.stderr, process.stderr],
  })
  return run.status === 0
}

/** Debian's compiler, where it is missing and may be installed. */
function installCompiler() {
  if (['python3', 'make', 'g++'].every(onPath)) return false
  return aptInstall('python3', 'make', 'g++')
}

/** @param {string} program */
export function onPath(program) {
  return (process.env.PATH ?? '').split(':').some((folder) => folder !== '' && existsSync(join(folder, program)))
}

/**
 * Installs Debian packages where this is root on Debian; false where it is not, or apt fails.
 *
 * @param {string[]} packages
 */
export function aptInstall(...packages) {
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return false
  say(`installing ${packages.join(', ')} through apt`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const stdio = /** @type {const} */ (['ignore', process.stderr, process.stderr])
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: [...stdio] })
  return spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env, stdio: [...stdio] }).status === 0
}

/** @param {string} line */
export function say(line) {
  process.stderr.write(`varispeed: ${line}\n`)
}
