import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { say } from './install.mjs'

/** Google's command line, of which only the Auth emulator is used. */
const VERSION = '15.34.2'
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'varispeed', `firebase-tools-${VERSION}`)
const program = join(folder, 'node_modules/firebase-tools/lib/bin/firebase.js')

/**
 * Installs the emulator where it is missing: 220 MB in the user's cache, apart from the packages that the product needs.
 *
 * @returns {string} its program, for Node to run
 * @throws where it cannot be installed
 */
export function ensureEmulator() {
  if (existsSync(program)) return program
  say(`installing firebase-tools ${VERSION} into ${folder} (220 MB, once)`)
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  const args = ['install', '--prefix', unfinished, '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', [...args, `firebase-tools@${VERSION}`], { stdio: ['ignore', process.stderr, process.stderr] })
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new Error("Google's Auth emulator (firebase-tools) could not be installed, see above: a network is needed")
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinished, folder)
  return program
}
