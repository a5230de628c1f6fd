import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { printLine } from './install.mjs'

/**
 * Installs a package of npm if it is missing, in the user's cache folder and separate from the product's packages.
 *
 * @param {string} name
 * @param {string} version
 * @param {number} megabytes how much it takes of the disk
 * @returns {string} the package's folder
 * @throws if the package cannot be installed
 */
export function ensureCachedPackage(name, version, megabytes) {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'varispeed', `${name}-${version}`)
  const packageFolder = join(folder, 'node_modules', name)
  if (existsSync(packageFolder)) return packageFolder
  printLine(`installing ${name} ${version} into ${folder} (${megabytes} MB, once)`)
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
  const { status } = spawnSync('npm', [...args, `${name}@${version}`], { stdio: ['ignore', process.stderr, process.stderr] })
  if (status !== 0) {
    rmSync(unfinishedFolder, { recursive: true, force: true })
    throw new Error(`${name} ${version} could not be installed, see above: a network is needed`)
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinishedFolder, folder)
  return packageFolder
}
