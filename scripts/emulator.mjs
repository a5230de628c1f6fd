import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { printLine } from './install.mjs'

/** The version of Google's `firebase-tools`, of which only the Auth emulator is used. */
const EMULATOR_VERSION = '15.34.2'
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'varispeed', `firebase-tools-${EMULATOR_VERSION}`)
const programPath = join(folder, 'node_modules/firebase-tools/lib/bin/firebase.js')

/**
 * Installs Google's Auth emulator if it is missing: 220 MB in the user's cache folder, separate from the product's packages.
 *
 * @returns {string} the path of the emulator's script
 * @throws if the emulator cannot be installed
 */
export function ensureEmulator() {
  if (existsSync(programPath)) return programPath
  printLine(`installing firebase-tools ${EMULATOR_VERSION} into ${folder} (220 MB, once)`)
  const unfinishedFolder = `${folder}.${process.pid}`
  mkdirSync(unfinishedFolder, { recursive: true })
  const args = [
    'install',
    '--prefix',
    unfinishedFolder,
    '--ignore-scripts',
    '--omit=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const { status } = spawnSync('npm', [...args, `firebase-tools@${EMULATOR_VERSION}`], {
    stdio: ['ignore', process.stderr, process.stderr],
  })
  if (status !== 0) {
    rmSync(unfinishedFolder, { recursive: true, force: true })
    throw new Error("Google's Auth emulator (firebase-tools) could not be installed, see above: a network is needed")
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinishedFolder, folder)
  return programPath
}
