import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { printLine } from './install.mjs'

/**
 * Installs a package of npm if it is missing, in the user's cache folder and separate from the product's packages.
 *
 * @param {string} packageName
 * @param {string} packageVersion
 * @param {number} sizeMegabytes how much it takes of the disk
 * @returns {string} the package's folder
 * @throws if the package cannot be installed
 */
export function ensureCachedPackage(packageName, packageVersion, sizeMegabytes) {
  const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'varispeed', `${packageName}-${packageVersion}`)
  const packageFolder = join(cacheFolder, 'node_modules', packageName)
  if (existsSync(packageFolder)) return packageFolder
  printLine(`installing ${packageName} ${packageVersion} into ${cacheFolder} (${sizeMegabytes} MB, once)`)
  const unfinishedFolder = `${cacheFolder}.${process.pid}`
  mkdirSync(unfinishedFolder, { recursive: true })
  const npmArguments = [
    'install',
    '--prefix',
    unfinishedFolder,
    '--ignore-scripts',
    '--omit=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const { status } = spawnSync('npm', [...npmArguments, `${packageName}@${packageVersion}`], {
    stdio: ['ignore', process.stderr, process.stderr],
  })
  if (status !== 0) {
    rmSync(unfinishedFolder, { recursive: true, force: true })
    throw new Error(`${packageName} ${packageVersion} could not be installed, see above: a network is needed`)
  }
  rmSync(cacheFolder, { recursive: true, force: true })
  renameSync(unfinishedFolder, cacheFolder)
  return packageFolder
}
